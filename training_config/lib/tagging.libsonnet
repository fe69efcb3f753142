// Parts for taggers: the hinge family, RoSeq.
{
}
