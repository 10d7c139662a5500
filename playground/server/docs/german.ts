/**
 * German words of the subject and what the pages, which are in English, call it. A word belongs to the longest beginning that fits
 * it, so that one line stands for all its forms: `install` for installieren and Installation.
 */
const WORDS: readonly (readonly [beginning: string, english: string])[] = [
  ['abbr', 'drop stop'],
  ['abbrech', 'stop cancel'],
  ['abbricht', 'drop'],
  ['abgebrochen', 'drop'],
  ['adress', 'address url'],
  ['anbind', 'connect'],
  ['anhang', 'attach file'],
  ['anhäng', 'attach file'],
  ['anmeld', 'sign-in'],
  ['anpass', 'change'],
  ['ansicht', 'view'],
  ['antwort', 'answer'],
  ['anzeig', 'show'],
  ['änder', 'change'],
  ['barrierefrei', 'accessible'],
  ['bearbeit', 'edit'],
  ['beispiel', 'example'],
  ['benutz', 'user'],
  ['bild', 'picture'],
  ['browser', 'browser'],
  ['bündel', 'bundle'],
  ['datei', 'file'],
  ['daten', 'data'],
  ['datenbank', 'database'],
  ['datenschutz', 'telemetry data'],
  ['dunkel', 'dark'],
  ['dunkl', 'dark'],
  ['einbau', 'install'],
  ['einbind', 'install'],
  ['einricht', 'setup'],
  ['farb', 'colour'],
  ['fehler', 'error'],
  ['gerät', 'device'],
  ['geschwindigkeit', 'fast'],
  ['gespräch', 'conversation'],
  ['größe', 'size'],
  ['groß', 'large'],
  ['hochlad', 'upload'],
  ['installier', 'install'],
  ['kost', 'cost'],
  ['kostenlos', 'free'],
  ['lauf', 'run'],
  ['lizenz', 'licence'],
  ['modell', 'model'],
  ['modus', 'mode'],
  ['nachricht', 'message'],
  ['netz', 'network'],
  ['neu laden', 'reload'],
  ['neulad', 'reload'],
  ['oberfläche', 'words components'],
  ['paket', 'package'],
  ['preis', 'price'],
  ['programm', 'program'],
  ['quelle', 'source'],
  ['schlüssel', 'key'],
  ['schreib', 'write'],
  ['schick', 'send'],
  ['seite', 'page'],
  ['send', 'send'],
  ['sicher', 'security'],
  ['speicher', 'keep store'],
  ['sprach', 'language'],
  ['stopp', 'stop'],
  ['such', 'search'],
  ['test', 'test'],
  ['tastatur', 'keyboard'],
  ['übersetz', 'language translate'],
  ['umsteig', 'migrate'],
  ['umstell', 'migrate'],
  ['unterschied', 'difference'],
  ['verbind', 'connection line'],
  ['vergleich', 'compare'],
  ['verlauf', 'history'],
  ['verlier', 'lost'],
  ['verloren', 'lost'],
  ['werkzeug', 'tool'],
  ['wiederverbind', 'reconnect'],
  ['zugang', 'access'],
]

/** Words that make a German sentence and say nothing to a search. Those that are English words as well decide nothing alone. */
const FUNCTION_WORDS = new Set(
  `aber alle als am an auch auf aus bei beim bin bitte da damit dann das dass dem den der des die dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es
  etwas euch für geben geht gibt haben hat hätte ich ihr im in ins ist ja jede jeden kann kannst kein keine können könnte mache machen man mein meine meinem meinen meiner mich mir
  mit möchte muss müssen nach nicht noch nur ob oder ohne passiert sein sich sie sind so soll sollte steht über um und uns unter von vom vor war warum was weil welche welchem welchen
  welcher welches wenn werden wer wie wir wird wo wofür womit zu zum zur zwischen brauche brauchen funktioniert nutzen verwenden benutzen einfach`.split(
    /\s+/,
  ),
)
const ALSO_ENGLISH = new Set([
  'am',
  'an',
  'die',
  'man',
  'in',
  'so',
  'war',
  'was',
  'bin',
  'dies',
  'all',
  'also',
  'hat',
  'um',
  'er',
  'da',
  'des',
  'den',
  'dem',
  'test',
])

/** What a German question asks, in words of the pages; undefined for a question that is not German. */
export function fromGerman(question: string): string | undefined {
  const words = question
    .toLowerCase()
    .split(/[^\p{L}\p{N}.-]+/u)
    .filter((word) => word !== '')
  const german = words.filter((word) => FUNCTION_WORDS.has(word))
  const sure = german.filter((word) => !ALSO_ENGLISH.has(word))
  if (sure.length === 0 || german.length < 2) return undefined
  return words
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map((word) => englishOf(word) ?? word)
    .join(' ')
}

function englishOf(word: string): string | undefined {
  const fitting = WORDS.filter(([beginning]) => word.startsWith(beginning))
  return fitting.toSorted(([a], [b]) => b.length - a.length)[0]?.[1]
}
