/**
 * The short words of languages in Latin letters that are frequent in a text of any subject: those of our locales, and of
 * two neighbours that would be taken for one of them.
 */
const frequentWords: Readonly<Record<string, string>> = {
  en: 'the of and to is in that it for with was as are this be by on not or from at you have which can an if your i my',
  de: 'der die und das ist nicht ein eine zu den mit von für auf des im dem sich auch es wie als sie oder wird sind ich',
  fr: 'le la les de des et est un une du que qui dans pour pas en sur au avec ce il plus par sont vous cette ou à je',
  es: 'el la los las de que y en un una es por con para no se del al lo como más su o está son esta muy pero yo si',
  it: 'il di che e la in un per una è non con del della i le gli si come più da sono al dei alla questo anche ma io',
  pt: 'o a de que e do da em um para é não uma os no na com por se mais as dos como mas ao são você eu isso à pela',
  pl: 'i w na z się nie to że jest do o jak po za od co przez są dla oraz lub może który także być tego ale ja czy',
  sv: 'och att det är en som på för av med den inte till ett har de om kan från vid eller du var så jag men finns i',
  fi: 'ja on ei se että olla mutta kun niin myös tai ovat jos voi joka sen kuin hän ole sekä oli tämä minä joita',
  nl: 'de het een en van is in te dat op niet zijn met voor ook aan er maar om of je als door naar bij wordt deze ik',
  da: 'og det er en at på i af til den som ikke med der for et har de om kan eller fra ved jeg men hvor også være',
}
const wordSets = Object.entries(frequentWords).map(([language, words]) => ({
  language,
  words: new Set(words.split(' ')),
}))

/** Fewer frequent words say nothing. */
const leastHits = 4
/** The words of the likeliest language are so many times as many as those of the next one. */
const leastLead = 1.3
/** A smaller share of all words: a language that is not known here. */
const leastShare = 0.15

/** The language of a text in Latin letters by its most frequent words; undefined where they are few, or leave doubt. */
export function latinLanguage(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = wordSets
    .map(({language, words: frequent}) => ({language, hits: words.filter((word) => frequent.has(word)).length}))
    .toSorted((one, other) => other.hits - one.hits)
  const [first = {language: '', hits: 0}, second = {hits: 0}] = counts
  const isSure =
    first.hits >= leastHits && first.hits >= second.hits * leastLead && first.hits >= words.length * leastShare
  return isSure ? first.language : undefined
}

const ownLetters = [
  {language: 'uk', letters: /[іїєґ]/giu},
  {language: 'sr', letters: /[ђјљњћџ]/giu},
  {language: 'ru', letters: /[ыэъё]/giu},
]

/** The language of a text in Cyrillic letters by those that the others do not have. */
export function cyrillicLanguage(text: string): string | undefined {
  const counts = ownLetters.map(({language, letters}) => ({language, count: text.match(letters)?.length ?? 0}))
  const first = counts.reduce((one, other) => (other.count > one.count ? other : one))
  return first.count > 0 ? first.language : undefined
}
