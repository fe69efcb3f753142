"""
Abbreviations that keep their dot: `Mr.`, `ул.`, `bzw.`. The tokenizer leaves the dot attached, and the sentence
splitter does not end a sentence there. Listed in lower case without the dot. Abbreviations that are also ordinary words
(`sun`) are left out.
"""

# Never the end of a sentence, because something must follow: a name, a number, a place.
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

# Abbreviations before a number: `No. 5`, `fig. 2`. Elsewhere they may be ordinary words.
BEFORE_A_FIGURE = frozenset("no nos nr art fig figs sec ch vol vols p pp pág págs cap núm n.º ст п пп гл".split())

# Abbreviations in the middle of a sentence or at its end.
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
