import type { AgentErrorMessages, ErrorMessages } from '../dictionary/error-messages.ts'
import { number, time } from './german-measures.ts'

export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) => ({
    title:
      attempts > 1 ? `Assistent nach ${number(attempts)} Versuchen nicht erreichbar` : 'Assistent nicht erreichbar',
    text: 'Prüfe deine Verbindung und versuche es noch einmal.',
  }),
  timeout: {
    title: 'Zeitüberschreitung bei der Antwort',
    text: 'Der Assistent hat zu lange nicht geantwortet. Versuche es noch einmal.',
  },
  truncated: { title: 'Verbindung unterbrochen', text: 'Die Antwort ist möglicherweise unvollständig.' },
  delivery_unknown: {
    title: 'Deine Nachricht ist möglicherweise angekommen',
    text: 'Die Verbindung brach ab, bevor der Assistent sie bestätigt hat. Wenn du sie noch einmal sendest, wird die Arbeit möglicherweise doppelt gemacht.',
  },
  unexpected_content_type: {
    title: 'Unerwartete Antwort',
    text: 'Möglicherweise musst du dich erst in diesem Netzwerk anmelden.',
  },
  frame_too_large: { title: 'Ein Teil der Antwort ist zu groß', text: 'Diese App kann ihn nicht anzeigen.' },
  response_too_large: { title: 'Die Antwort ist zu lang', text: 'Bitte um eine kürzere Antwort.' },
  invalid_json: { title: 'Antwort nicht lesbar', text: 'Sie hat ein unerwartetes Format.' },
  invalid_packet: { title: 'Ein Teil der Antwort ist nicht lesbar', text: 'Er hat ein unerwartetes Format.' },
  unknown_op: { title: 'Nicht unterstützter Inhalt', text: 'Diese App muss möglicherweise aktualisiert werden.' },
  invalid_response: { title: 'Ungültige Antwort', text: 'Diese App unterstützt das nicht.' },
  invalid_request: { title: 'Nachricht nicht gesendet', text: 'Es gibt ein Problem mit dieser App.' },
  invalid_config: {
    title: 'Diese App ist nicht richtig eingerichtet',
    text: 'Wende dich an den Support der App.',
  },
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? { title: 'Anfrage abgelehnt', text: 'Ein weiterer Versuch hilft wahrscheinlich nicht.' }
      : { title: 'Problem auf dem Server', text: 'Versuche es noch einmal.' },
  unauthorized: { title: 'Bitte anmelden', text: 'Du bist nicht angemeldet oder deine Sitzung ist abgelaufen.' },
  forbidden: { title: 'Kein Zugriff', text: 'Du hast keine Berechtigung für diesen Assistenten.' },
  not_found: { title: 'Assistent nicht gefunden', text: 'Möglicherweise wurde er verschoben oder entfernt.' },
  rate_limited: ({ retryAfterMs }) => ({
    title: 'Zu viele Anfragen',
    text:
      retryAfterMs === 0
        ? 'Du kannst es jetzt noch einmal versuchen.'
        : `Versuche es in ${retryAfterMs === undefined ? 'einem Moment' : time(retryAfterMs)} noch einmal.`,
  }),
  log_expired: {
    title: 'Diese Antwort kann nicht fortgesetzt werden',
    text: 'Stelle die Frage noch einmal, um eine neue Antwort zu erhalten.',
  },
  agent_error: ({ message }) => ({ title: 'Der Assistent hat ein Problem gemeldet', text: message }),
  restarted: {
    title: 'Die Antwort wurde neu gestartet',
    text: 'Die beiden Teile passen nicht zusammen. Stelle die Frage noch einmal.',
  },
  busy: { title: 'Antwort wird noch generiert', text: 'Warte, bis sie fertig ist, oder stoppe sie zuerst.' },
  storage_full: { title: 'Der Speicher des Servers ist voll', text: 'Versuche es später noch einmal.' },
  storage_corrupt: { title: 'Die Daten des Servers sind beschädigt', text: 'Wende dich an den Support.' },
  storage_unavailable: { title: 'Der Server kann nichts speichern', text: 'Versuche es später noch einmal.' },
  app_error: {
    title: 'Etwas ist schiefgelaufen',
    text: 'Es gibt ein Problem mit dieser App. Versuche es noch einmal.',
  },
}

const notResponding = { title: 'Ein benötigter Dienst antwortet nicht', text: 'Versuche es noch einmal.' }
const blocked = {
  title: 'Von einer Sicherheitsprüfung blockiert',
  text: 'Versuche, deine Frage anders zu formulieren.',
}

export const agentErrorMessages: AgentErrorMessages = {
  internal_error: { title: 'Beim Assistenten ist ein Problem aufgetreten', text: 'Versuche es noch einmal.' },
  upstream_timeout: notResponding,
  toxicity_detected: blocked,
  cancel_unconfirmed: { title: 'Stopp nicht bestätigt', text: 'Der Assistent arbeitet möglicherweise noch.' },
  model_unavailable: notResponding,
  model_content_filtered: blocked,
  model_quota_exceeded: { title: 'Nutzungslimit erreicht', text: 'Versuche es später noch einmal.' },
  model_context_too_long: {
    title: 'Diese Unterhaltung ist zu lang',
    text: 'Beginne eine neue oder sende weniger.',
  },
  model_step_limit: {
    title: 'Die Antwort ist unvollständig',
    text: 'Der Assistent hat seine Höchstzahl an Schritten erreicht.',
  },
  unstructured_error: { title: 'Etwas ist schiefgelaufen', text: 'Mehr dazu in den Details.' },
}
