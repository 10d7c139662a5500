import type { AgentErrorMessages, ErrorMessages } from '../dictionary/error-messages.ts'
import { plural, time } from './german-measures.ts'

export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) => ({
    title: attempts > 0 ? plural(attempts, { one: 'Agent nach einem Versuch nicht erreichbar', other: 'Agent nach # Versuchen nicht erreichbar' }) : 'Agent nicht erreichbar',
    text: 'Bitte die Verbindung prüfen. Was bisher kam, bleibt erhalten.',
  }),
  timeout: { title: 'Die Antwort ließ zu lange auf sich warten', text: 'Eine Weile kam nichts. Was bisher kam, bleibt erhalten.' },
  truncated: { title: 'Die Verbindung brach vorzeitig ab', text: 'Die Antwort endete, bevor der Agent fertig war.' },
  unexpected_content_type: { title: 'Etwas anderes als der Agent hat geantwortet', text: 'Vielleicht steht eine Anmeldeseite dieses Netzwerks dazwischen.' },
  frame_too_large: { title: 'Ein Stück der Antwort ist zu groß', text: 'So große Stücke nimmt diese App nicht an.' },
  response_too_large: { title: 'Die Antwort ist zu groß', text: 'Bitte um eine kürzere.' },
  invalid_json: { title: 'Die Antwort war nicht lesbar', text: 'Sie kam beschädigt an.' },
  invalid_packet: { title: 'Ein Teil der Antwort war nicht lesbar', text: 'Der Agent hat ihn in einer Form gesendet, die diese App nicht kennt.' },
  unknown_op: { title: 'Der Agent hat etwas Neues gesendet', text: 'Diese App weiß nichts damit anzufangen.' },
  invalid_response: { title: 'Der Agent gab keine gültige Antwort', text: 'Sie kam in einer Form, die diese App nicht kennt.' },
  invalid_request: { title: 'Die Anfrage ließ sich nicht senden', text: 'Diese App hat auf eine Weise gefragt, die der Agent nicht annimmt.' },
  invalid_config: { title: 'Diese App ist nicht für den Agenten eingerichtet', text: 'Eine ihrer Einstellungen kann nicht funktionieren.' },
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? { title: 'Der Agent hat die Anfrage nicht angenommen', text: 'Dasselbe noch einmal zu versuchen hilft wohl nicht.' }
      : { title: 'Der Agent konnte nicht antworten', text: 'Sein Server hat einen Fehler gemeldet. Was bisher kam, bleibt erhalten.' },
  unauthorized: { title: 'Die Sitzung ist abgelaufen', text: 'Nach dem Anmelden geht es weiter. Die Unterhaltung bleibt erhalten.' },
  forbidden: { title: 'Kein Zugriff', text: 'Dieser Agent ist nur für die da, mit denen er geteilt wurde.' },
  not_found: { title: 'Dieser Agent wurde nicht gefunden', text: 'Vielleicht wurde er verschoben oder entfernt.' },
  rate_limited: ({ retryAfterMs }) => ({ title: 'Zu viele Anfragen', text: `Bitte ${retryAfterMs ? time(retryAfterMs) : 'einen Moment'} warten und dann erneut versuchen.` }),
  log_expired: { title: 'Diese Antwort lässt sich nicht mehr fortsetzen', text: 'Der Server hat sie nicht mehr. Frag noch einmal, dann kommt eine neue.' },
  agent_error: ({ message }) => ({ title: 'Der Agent hat ein Problem gemeldet', text: message }),
  restarted: { title: 'Der Agent hat mitten in der Antwort neu begonnen', text: 'Die beiden Hälften passen nicht zusammen. Frag noch einmal, dann kommt eine neue Antwort.' },
  busy: { title: 'Eine Antwort wird noch geschrieben', text: 'Warte, bis sie fertig ist, oder stoppe sie zuerst.' },
  app_error: { title: 'In dieser App ist etwas schiefgegangen', text: 'Die Unterhaltung bleibt erhalten.' },
}

export const agentErrorMessages: AgentErrorMessages = {
  internal_error: { title: 'Beim Agenten ist ein Problem aufgetreten', text: 'Es liegt am Agenten, nicht an dir.' },
  upstream_timeout: { title: 'Ein Dienst, den der Agent braucht, ist langsam', text: 'Er hat nicht rechtzeitig geantwortet.' },
  toxicity_detected: { title: 'Die Sicherheitsprüfung des Agenten hat diese Antwort gestoppt', text: 'Versuche, anders zu fragen.' },
  unstructured_error: { title: 'Der Agent ist ohne Angabe eines Grundes gescheitert', text: 'Was er gesagt hat, steht in den Details.' },
}
