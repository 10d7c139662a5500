import { number, plural } from '../locales/german-measures.ts'
import type { TaskStrings } from './task-strings.ts'

/** The strings of tasks in German. */
export const germanTasks: TaskStrings = {
  status: {
    submitted: 'Eingereicht',
    working: 'In Arbeit',
    'input-required': 'Angaben nötig',
    'auth-required': 'Anmeldung nötig',
    completed: 'Abgeschlossen',
    canceled: 'Abgebrochen',
    failed: 'Fehlgeschlagen',
    rejected: 'Vom Assistenten abgelehnt',
    unknown: 'Unbekannter Zustand',
    unfinished: 'Nicht abgeschlossen',
  },
  card: { title: 'Aufgabe', stop: 'Aufgabe stoppen', stopping: 'Wird gestoppt…', parts: 'Teilaufgaben' },
  artifact: {
    view: 'Ansehen',
    close: 'Schließen',
    content: 'Inhalt',
    version: 'Version',
    latest: (version) => `${number(version)} (neueste)`,
    earlier: number,
    noPreview: 'Keine Vorschau verfügbar',
  },
  agent: {
    version: (version) => `Version ${version}`,
    signature: {
      unsigned: 'Nicht signiert',
      'unknown-key': 'Signatur nicht geprüft',
      valid: 'Signatur geprüft',
      'partly-signed': 'Teilweise signiert',
      invalid: 'Ungültige Signatur',
    },
    notCovered: (parts) => `Nicht von der Signatur erfasst: ${parts.join(', ')}`,
    skills: 'Fähigkeiten',
    examples: (skill) => `Beispiele: ${skill}`,
    moreSkills: (count) =>
      plural(count, { one: '# weitere Fähigkeit anzeigen', other: '# weitere Fähigkeiten anzeigen' }),
    capabilities: 'Funktionen',
    streaming: 'Streaming',
    push: 'Push-Benachrichtigungen',
    extendedCard: 'Mehr Angaben nach der Anmeldung',
    details: 'Technische Details',
    input: 'Eingabetypen',
    output: 'Ausgabetypen',
    security: 'Anmeldeverfahren',
    apiKey: 'API-Schlüssel',
    interfaces: 'Schnittstellen',
    extensions: 'Erweiterungen',
    required: 'erforderlich',
    documentation: 'Dokumentation',
  },
}
