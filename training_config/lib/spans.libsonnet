// Parts for span models: candidates, span losses.
{
}
