import { number, plural, time } from '../locales/german-measures.ts'
import type { JobStrings } from './job-strings.ts'

/** The strings of jobs in German. */
export const germanJobs: JobStrings = {
  states: {
    accepted: 'Angenommen',
    queued: 'In der Warteschlange',
    running: 'Läuft',
    blocked: 'Wartet auf eine Antwort',
    paused: 'Angehalten',
    completed: 'Abgeschlossen',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
    stale: 'Reagiert nicht',
  },
  job: {
    title: 'Auftrag',
    progress: 'Fortschritt',
    amount: (current, total) => `${number(current)} von ${number(total)}`,
    stop: 'Auftrag stoppen',
    stopping: 'Wird gestoppt…',
    interrupt: 'Unterbrechen',
    retry: 'Erneut ausführen',
    code: (code) => `Code: ${code}`,
  },
  session: {
    phases: {
      idle: 'Nicht verbunden',
      opening: 'Verbindung wird hergestellt',
      challenged: 'Wird überprüft',
      authenticating: 'Anmeldung läuft',
      accepted: 'Verbunden',
      refreshing: 'Anmeldung wird erneuert',
      reconnecting: 'Verbindung wird wiederhergestellt',
      closing: 'Verbindung wird getrennt',
      evicted: 'Sitzung beendet',
      rejected: 'Verbindung abgelehnt',
    },
    connect: 'Verbinden',
    close: 'Trennen',
    retry: 'Jetzt versuchen',
    endsIn: (ms) => `Sitzung endet in ${time(ms)}`,
    retryIn: (ms) => `Nächster Versuch in ${time(ms)}`,
    capabilities: 'Funktionen',
  },
  log: {
    label: 'Protokoll',
    levels: { trace: 'Ablauf', debug: 'Debug', info: 'Info', warn: 'Warnung', error: 'Fehler', critical: 'Kritisch' },
    empty: 'Noch keine Einträge',
  },
  usage: {
    tokens: 'Tokens',
    input: (count) => `${number(count)} Eingabe`,
    output: (count) => `${number(count)} Ausgabe`,
    total: (count) => plural(count, { one: '# Token', other: '# Tokens' }),
    cost: 'Kosten',
    ofLimit: (spent, limit) => `${spent} von ${limit}`,
    over: 'Limit überschritten',
    number,
  },
  subscription: {
    label: 'Ereignisse',
    states: {
      opening: 'Wird abonniert',
      backfilling: 'Frühere Ereignisse werden geladen',
      open: 'Aktuell',
      closed: 'Abonnement beendet',
      failed: 'Abonnieren nicht möglich',
    },
    fresh: 'Neue Ereignisse',
    empty: 'Noch keine Ereignisse',
    dropped: (count) =>
      plural(count, {
        one: '# früheres Ereignis wird nicht mehr angezeigt',
        other: '# frühere Ereignisse werden nicht mehr angezeigt',
      }),
    close: 'Abonnement beenden',
  },
}
