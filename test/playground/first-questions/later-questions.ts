import type { FirstQuestion } from './questions.ts'

/** Written after the search had been tuned on the others, and not used to tune it. */
export const LATER_QUESTIONS: readonly FirstQuestion[] = [
  {
    asked: 'Can I theme the chat with my own CSS?',
    answeredBy: [
      '/docs/theming#theming',
      '/docs/theming#how-do-i-restyle-one-part',
      '/docs/theming#how-do-i-change-colours-fonts-and-sizes',
      '/docs/theming#how-do-i-override-a-style-of-all-components',
      '/docs/components#how-do-i-override-a-style',
    ],
  },
  {
    asked: 'how to use with express',
    answeredBy: ['/docs/server#how-do-i-serve-an-agent-from-plain-node-or-from-express'],
  },
  {
    asked: 'Does it work offline?',
    after: 'Is it free?',
    answeredBy: ['/docs/reconnection#what-happens-when-the-device-is-offline'],
  },
  {
    asked: 'How many times does it retry?',
    answeredBy: [
      '/docs/reconnection#how-many-times-does-it-retry-and-when-does-it-give-up',
      '/docs/client#how-do-i-change-how-often-it-retries',
    ],
  },
  {
    asked: 'Can users edit their last message?',
    answeredBy: ['/docs/hooks#how-do-i-edit-a-message-that-was-sent', '/docs/components#how-is-a-sent-message-edited'],
  },
  {
    asked: 'How do I regenerate an answer?',
    answeredBy: ['/docs/hooks#what-do-the-actions-of-a-chat-do', '/docs/hooks#how-do-i-stop-an-answer'],
  },
  {
    asked: 'is there a headless version without UI?',
    answeredBy: [
      '/docs/questions#can-i-use-capstan-without-react-with-vue-or-svelte-for-example',
      '/docs/client#client',
      '/docs/hooks#hooks',
      '/docs/getting-started#how-do-i-ask-an-agent-from-a-node-script',
      '/docs/getting-started#getting-started',
    ],
  },
  {
    asked: 'Does it work with TanStack Query?',
    answeredBy: [
      '/docs/hooks#how-do-i-use-it-with-tanstack-query',
      '/docs/hooks#how-do-i-stream-an-answer-into-the-cache',
      '/docs/hooks#how-do-i-load-conversations-and-their-history',
    ],
  },
  {
    asked: 'Can I run it on several servers behind a load balancer?',
    answeredBy: ['/docs/server#can-i-run-several-server-processes-behind-a-load-balancer'],
  },
  {
    asked: 'Wie kann ich die Farben anpassen?',
    answeredBy: ['/docs/theming#how-do-i-change-colours-fonts-and-sizes'],
  },
  {
    asked: 'Kann ich eine eigene Datenbank verwenden?',
    answeredBy: [
      '/docs/questions#which-database-can-keep-the-conversations',
      '/docs/persistence#can-i-keep-conversations-elsewhere-or-without-react',
    ],
  },
  {
    asked: 'Gibt es ein Beispiel mit Next.js?',
    answeredBy: ['/docs/getting-started#how-do-i-begin-with-nextjs', '/docs/readme#a-chat-in-ten-lines'],
  },
  {
    asked: 'What does the error log_expired mean?',
    answeredBy: [
      '/docs/server#what-happens-when-the-log-has-expired',
      '/docs/errors#which-error-codes-come-from-http-statuses',
      '/docs/server#what-are-the-rules-for-resuming',
      '/docs/errors#which-error-codes-mean-connection-trouble',
    ],
  },
  {
    asked: 'Is XSS possible through a malicious answer?',
    answeredBy: ['/docs/components#is-markdown-supported', '/docs/decisions/017-markdown-security#what-we-do'],
  },
  {
    asked: 'Can I show images in the chat?',
    answeredBy: [
      '/docs/components#how-are-pictures-shown',
      '/docs/components#how-do-i-let-pictures-of-my-own-hosts-load-at-once',
    ],
  },
  {
    asked: 'What is the difference between useCapChat and useCapAssist?',
    answeredBy: [
      '/docs/hooks#what-does-usecapassist-do',
      '/docs/hooks#what-does-usecapchat-do',
      '/docs/hooks#what-is-the-difference-between-usechatinstance-and-usecapchat',
    ],
  },
  {
    asked: 'How do I log out a user and delete their chats?',
    answeredBy: ['/docs/persistence#how-do-i-sign-a-user-out'],
  },
  { asked: 'Do you have voice input?', answeredBy: ['/docs/questions#can-people-speak-to-it-or-hear-the-answer'] },
  {
    asked:
      'Our product has customers in Egypt and Israel, so the whole interface must run from right to left, and some of our people only use the keyboard. Has anybody tested the components under these conditions?',
    answeredBy: [
      '/docs/theming#does-it-run-from-right-to-left',
      '/docs/accessibility#does-it-work-from-right-to-left',
      '/docs/accessibility#which-keys-are-there',
      '/docs/accessibility#accessibility',
      '/docs/components#how-accessible-are-the-components-with-a-screen-reader-or-the-keyboard',
    ],
  },
  {
    asked: 'How do I get support for Kubernetes or Docker deployments?',
    answeredBy: [
      '/docs/questions#can-i-deploy-it-to-a-serverless-platform',
      '/docs/server#can-i-run-several-server-processes-behind-a-load-balancer',
    ],
  },
]
