import { number, time } from '../locales/german-measures.ts'
import type { PromptStrings } from './prompt-strings.ts'

/** The strings of prompts in German. They say “du”. */
export const germanPrompts: PromptStrings = {
  card: {
    label: 'Die App bittet um deine Antwort',
    origin: 'Hier fragt die App, nicht der Assistent',
    position: (index, of) => `${number(index)} von ${number(of)}`,
    previous: 'Vorige Frage',
    next: 'Nächste Frage',
    timeLeft: (ms) => `noch ${time(ms)}`,
    timeOver: 'Die Zeit ist um. Warten auf den Assistenten.',
    onExpiry: { default: 'Danach gilt die Vorgabe des Assistenten.', cancel: 'Danach wird abgebrochen.' },
    decline: 'Ablehnen',
    cancel: 'Abbrechen',
    sending: 'Deine Antwort wird gesendet…',
    staged: 'Beantwortet. Wird gesendet, sobald die anderen Fragen beantwortet sind.',
    unconfirmed: 'Es ist nicht bekannt, ob deine Antwort angekommen ist. Erneut senden ist sicher: Sie zählt einmal.',
    sendAgain: 'Erneut senden',
    refused: 'Der Assistent hat diese Antwort nicht angenommen.',
    notSent: 'Deine Antwort wurde nicht gesendet.',
    notLoaded: 'Diese Frage konnte nicht angezeigt werden.',
    tryAgain: 'Erneut versuchen',
  },
  dock: {
    label: 'Fragen an dich',
    title: (count, title) => `(${number(count)}) ${title}`,
    count: (count) => `${number(count)} Fragen an dich`,
    ended: {
      'answered-elsewhere': 'An anderer Stelle beantwortet',
      expired: 'Die Zeit für eine Antwort ist abgelaufen',
      withdrawn: 'Die Frage wurde zurückgezogen',
    },
  },
  trace: {
    open: 'Wartet auf deine Antwort',
    chosen: (option) => `Du hast „${option}“ gewählt`,
    allowedOnce: (name) => `Du hast ${name} einmal erlaubt`,
    allowedAlways: (name) => `Du hast ${name} ab jetzt erlaubt`,
    rejected: (name) => `Du hast ${name} nicht erlaubt`,
    submitted: 'Du hast das Formular gesendet',
    edited: 'mit Änderungen',
    signedIn: 'Du hast dich angemeldet',
    answered: 'Du hast geantwortet',
    states: {
      staged: 'Beantwortet, noch nicht gesendet',
      sending: 'Deine Antwort wird gesendet…',
      unconfirmed: 'Nicht bekannt, ob deine Antwort angekommen ist',
      declined: 'Du hast abgelehnt',
      cancelled: 'Du hast abgebrochen',
      expired: 'Ohne Antwort abgelaufen',
      'answered-elsewhere': 'An anderer Stelle beantwortet',
      withdrawn: 'Ohne Antwort zurückgezogen',
    },
  },
}
