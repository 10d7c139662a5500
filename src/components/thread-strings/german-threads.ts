import type { ThreadListStrings } from './thread-list-strings.ts'

/** The strings of `ThreadList` in German. */
export const germanThreads: ThreadListStrings = {
  lang: 'de',
  label: 'Unterhaltungen',
  search: 'Unterhaltungen durchsuchen',
  none: 'Keine passenden Unterhaltungen',
  empty: 'Noch keine Unterhaltungen',
  loading: 'Unterhaltungen werden geladen',
  untitled: 'Ohne Titel',
  running: 'Antwortet…',
  awaitingInput: 'Wartet auf dich',
  failed: 'Fehlgeschlagen',
  unread: 'Neu',
  create: 'Neue Unterhaltung',
  rename: (title) => `${title} umbenennen`,
  title: 'Titel',
  remove: (title) => `${title} löschen`,
  removed: (title) => `${title} gelöscht`,
  undo: 'Rückgängig',
  dismiss: 'Schließen',
  notSaved: {
    unavailable: 'Dein Browser blockiert den Speicher. Unterhaltungen gehen verloren, wenn du diese Seite schließt.',
    full: 'Der Speicher ist voll. Neue Nachrichten gehen verloren, wenn du diese Seite schließt.',
    newer:
      'Diese App wurde in einem anderen Tab aktualisiert. Lade die Seite neu, damit Unterhaltungen weiter gespeichert werden.',
    failed:
      'Unterhaltungen können auf diesem Gerät nicht gespeichert werden. Neue Nachrichten gehen verloren, wenn du diese Seite schließt.',
    'signed-out': 'Du bist abgemeldet. Unterhaltungen werden nicht gespeichert.',
  },
}
