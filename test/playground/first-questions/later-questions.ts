import type { FirstQuestion } from './questions.ts'

/** Written after the search had been tuned on the others, and not used to tune it. */
export const LATER_QUESTIONS: readonly FirstQuestion[] = [
  {
    asked: 'Can I theme the chat with my own CSS?',
    answeredBy: [
      '/docs/theming#theming',
      '/docs/theming#restyle-one-part',
      '/docs/theming#change-colours-fonts-and-sizes',
      '/docs/theming#override-a-style-of-all-components',
      '/docs/components#override-a-style',
    ],
  },
  {
    asked: 'how to use with express',
    answeredBy: ['/docs/server#serve-an-agent-from-plain-node-or-from-express'],
  },
  {
    asked: 'Does it work offline?',
    after: 'Is it free?',
    answeredBy: ['/docs/reconnection#when-the-device-is-offline'],
  },
  {
    asked: 'How many times does it retry?',
    answeredBy: ['/docs/reconnection#number-of-retries', '/docs/client#change-how-often-it-retries'],
  },
  {
    asked: 'Can users edit their last message?',
    answeredBy: ['/docs/hooks#edit-a-message-that-was-sent', '/docs/components#edit-a-sent-message'],
  },
  {
    asked: 'How do I regenerate an answer?',
    answeredBy: ['/docs/hooks#actions-of-a-chat', '/docs/hooks#stop-an-answer'],
  },
  {
    asked: 'is there a headless version without UI?',
    answeredBy: [
      '/docs/questions#can-i-use-capstan-without-react-with-vue-or-svelte-for-example',
      '/docs/client#client',
      '/docs/hooks#hooks',
      '/docs/getting-started#ask-an-agent-from-a-node-script',
      '/docs/getting-started#getting-started',
    ],
  },
  {
    asked: 'Does it work with TanStack Query?',
    answeredBy: [
      '/docs/hooks#tanstack-query',
      '/docs/hooks#stream-an-answer-into-the-cache',
      '/docs/hooks#load-conversations-and-their-history',
    ],
  },
  {
    asked: 'Can I run it on several servers behind a load balancer?',
    answeredBy: ['/docs/server#several-server-processes-behind-a-load-balancer'],
  },
  {
    asked: 'Wie kann ich die Farben anpassen?',
    answeredBy: ['/docs/theming#change-colours-fonts-and-sizes'],
  },
  {
    asked: 'Kann ich eine eigene Datenbank verwenden?',
    answeredBy: [
      '/docs/questions#which-database-can-keep-the-conversations',
      '/docs/persistence#keep-conversations-elsewhere-or-without-react',
    ],
  },
  {
    asked: 'Gibt es ein Beispiel mit Next.js?',
    answeredBy: ['/docs/getting-started#begin-with-nextjs', '/docs/readme#a-chat-in-ten-lines'],
  },
  {
    asked: 'What does the error log_expired mean?',
    answeredBy: [
      '/docs/server#when-the-log-has-expired',
      '/docs/errors#codes-of-http-statuses',
      '/docs/server#rules-for-resuming',
      '/docs/errors#codes-of-connection-trouble',
    ],
  },
  {
    asked: 'Is XSS possible through a malicious answer?',
    answeredBy: ['/docs/components#markdown', '/docs/decisions/017-markdown-security#decision'],
  },
  {
    asked: 'Can I show images in the chat?',
    answeredBy: [
      '/docs/components#pictures-and-images',
      '/docs/components#let-pictures-of-your-own-hosts-load-at-once',
    ],
  },
  {
    asked: 'What is the difference between useCapChat and useCapAssist?',
    answeredBy: [
      '/docs/hooks#usecapassist',
      '/docs/hooks#usecapchat',
      '/docs/hooks#difference-between-usechatinstance-and-usecapchat',
    ],
  },
  {
    asked: 'How do I log out a user and delete their chats?',
    answeredBy: ['/docs/persistence#sign-a-user-out'],
  },
  { asked: 'Do you have voice input?', answeredBy: ['/docs/questions#can-people-speak-to-it-or-hear-the-answer'] },
  {
    asked:
      'Our product has customers in Egypt and Israel, so the whole interface must run from right to left, and some of our people only use the keyboard. Has anybody tested the components under these conditions?',
    answeredBy: [
      '/docs/theming#right-to-left',
      '/docs/accessibility#right-to-left',
      '/docs/accessibility#keys',
      '/docs/accessibility#accessibility',
      '/docs/components#accessibility-screen-readers-and-the-keyboard',
    ],
  },
  {
    asked: 'How do I get support for Kubernetes or Docker deployments?',
    answeredBy: [
      '/docs/questions#can-i-deploy-it-to-a-serverless-platform',
      '/docs/server#several-server-processes-behind-a-load-balancer',
    ],
  },
]
