// Parts for joint entity and relation extraction.
{
}
