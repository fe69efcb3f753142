"""
Words that end in a dot which is theirs: `Mr.`, `ул.`, `bzw.`. The tokenizer leaves the dot on them, the sentence
splitter does not stop there. Kept lower-case and without the dot. What is also an ordinary word (`sun`) is left out.
"""

# Never the end of a sentence, since something must follow: a name, a number, a place.
BEFORE_A_NAME = frozenset(
    """
    mr mrs ms messrs dr prof rev hon st sen rep gov gen col lt capt cmdr sgt cpl maj supt mt ft vs
    sr sra srta sres dra drª dña exmo exma eng engº
    hr dipl-ing bzw vgl sog
    mme mlle
    dhr mevr drs
    г-н г-жа ул просп пл пер наб им св акад проф доц стр корп р-н пос дер рис табл тов
    """.split()
)

# Followed by a figure: `No. 5`, `fig. 2`. Elsewhere they may be words.
BEFORE_A_FIGURE = frozenset("no nos nr art fig figs sec ch vol vols p pp pág págs cap núm n.º ст п пп гл".split())

# In the middle of a sentence or at its end.
ANYWHERE = frozenset(
    """
    jr inc ltd corp bros dept univ assn etc approx e.g i.e
    jan feb apr aug sept oct nov tues thurs
    ariz calif colo conn minn okla tenn tex wyo
    cia ltda avda
    evtl ggf inkl usw zzgl mio mrd nachm
    enz bijv mln mld
    г гг вв тыс млн млрд трлн руб коп долл чел др проч т.е т.д т.п н.э
    """.split()
)

ABBREVIATIONS = BEFORE_A_NAME | ANYWHERE
