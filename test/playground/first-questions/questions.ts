/** What a newcomer asks, and where the pages answer it. */
export interface FirstQuestion {
  readonly asked: string
  /** Addresses of the sections that answer it, each by itself. */
  readonly answeredBy: readonly string[]
  /** What the same person asked before, in the same conversation. */
  readonly after?: string
}

export const FIRST_QUESTIONS: readonly FirstQuestion[] = [
  {
    asked: 'What is capstan?',
    answeredBy: [
      '/docs/readme#capstan',
      '/docs/getting-started#getting-started',
      '/docs/questions#what-is-capstan-for',
    ],
  },
  { asked: 'How do I install it?', answeredBy: ['/docs/getting-started#how-do-i-install-capstan-in-my-app'] },
  {
    asked: 'npm install capstan gives 404, is it published?',
    answeredBy: ['/docs/getting-started#how-do-i-install-capstan-in-my-app', '/docs/readme#state-of-things'],
  },
  {
    asked: 'Can I use it with OpenAI?',
    answeredBy: ['/docs/questions#can-i-use-openai-anthropic-gemini-or-another-model'],
  },
  {
    asked: 'Does it support Claude or Gemini?',
    answeredBy: ['/docs/questions#can-i-use-openai-anthropic-gemini-or-another-model'],
  },
  {
    asked: 'how do i connect my own LLM running in ollama',
    answeredBy: ['/docs/questions#can-i-use-openai-anthropic-gemini-or-another-model'],
  },
  {
    asked: 'Does it work with Next.js?',
    after: 'How do I stop an answer?',
    answeredBy: ['/docs/getting-started#how-do-i-begin-with-nextjs'],
  },
  { asked: 'nextjs app router setup', answeredBy: ['/docs/getting-started#how-do-i-begin-with-nextjs'] },
  {
    asked: 'How do I set it up with Vite?',
    after: 'Which databases can I use?',
    answeredBy: ['/docs/getting-started#how-do-i-begin-with-vite'],
  },
  {
    asked: 'What happens if I open the same chat in two tabs?',
    answeredBy: ['/docs/reconnection#what-happens-with-many-open-tabs'],
  },
  {
    asked: 'Where are conversations stored? Which databases are supported?',
    answeredBy: ['/docs/questions#which-database-can-keep-the-conversations'],
  },
  {
    asked: 'Can I save the chat history in Postgres?',
    answeredBy: [
      '/docs/questions#which-database-can-keep-the-conversations',
      '/docs/persistence#how-do-i-show-what-was-said-on-another-device',
    ],
  },
  {
    asked: 'Can I use it in React Native?',
    answeredBy: [
      '/docs/questions#does-it-work-in-react-native-or-expo',
      '/docs/deploying#what-works-in-react-native-and-what-does-not',
      '/docs/deploying#how-do-i-use-it-in-react-native-or-expo',
    ],
  },
  {
    asked: 'expo support?',
    answeredBy: [
      '/docs/questions#does-it-work-in-react-native-or-expo',
      '/docs/deploying#how-do-i-use-it-in-react-native-or-expo',
    ],
  },
  {
    asked: 'What license is it under?',
    answeredBy: ['/docs/readme#licence', '/docs/questions#what-does-it-cost-and-may-i-use-it-commercially'],
  },
  {
    asked: 'Is it free for commercial use?',
    answeredBy: ['/docs/readme#licence', '/docs/questions#what-does-it-cost-and-may-i-use-it-commercially'],
  },
  { asked: 'How much does it cost?', answeredBy: ['/docs/questions#what-does-it-cost-and-may-i-use-it-commercially'] },
  { asked: 'Wie installiere ich das?', answeredBy: ['/docs/getting-started#how-do-i-install-capstan-in-my-app'] },
  {
    asked: 'Unter welcher Lizenz steht das Paket?',
    answeredBy: ['/docs/readme#licence', '/docs/questions#what-does-it-cost-and-may-i-use-it-commercially'],
  },
  {
    asked: 'Was passiert, wenn die Verbindung abbricht?',
    answeredBy: [
      '/docs/reconnection#what-happens-when-the-connection-drops',
      '/docs/reconnection#how-does-reconnection-work',
      '/docs/reconnection#what-counts-as-a-dropped-connection',
    ],
  },
  {
    asked: 'Wie ändere ich die Sprache der Oberfläche?',
    answeredBy: [
      '/docs/theming#how-do-i-change-the-language',
      '/docs/components#how-do-i-change-the-strings-or-the-language',
    ],
  },
  {
    asked: 'Where do I put my API key so users cannot see it in the browser?',
    answeredBy: [
      '/docs/getting-started#where-does-my-api-key-go',
      '/docs/getting-started#how-do-i-keep-the-api-key-on-my-own-server',
      '/docs/server#how-do-i-keep-an-api-key-out-of-the-browser',
    ],
  },
  {
    asked:
      'We have an existing React app with a Node backend behind nginx, and in production the answer does not stream token by token but appears all at once after ten seconds, while on my machine it works fine. What could be the reason for that and how can I fix it?',
    answeredBy: ['/docs/server#why-does-my-answer-arrive-all-at-once'],
  },
  {
    asked:
      'I am building an internal help desk for about two hundred colleagues and our users keep closing their laptop in the middle of an answer, then open it again an hour later. Will the answer still be there, or do they have to ask again?',
    answeredBy: [
      '/docs/reconnection#what-happens-when-the-computer-sleeps',
      '/docs/persistence#what-if-the-page-comes-back-much-later',
      '/docs/persistence#what-happens-after-a-reload-in-the-middle-of-an-answer',
    ],
  },
  {
    asked:
      'My team currently uses useChat from the Vercel AI SDK together with streamText on the server, and we would like to try capstan for one of our products without rewriting everything. How do we migrate and what stays the same?',
    answeredBy: [
      '/docs/migrating-from-use-chat#what-stays-the-same',
      '/docs/migrating-from-use-chat#migrating-from-usechat',
      '/docs/migrating-from-use-chat#how-do-i-use-capstan-with-streamtext-of-the-ai-sdk',
      '/docs/migrating-from-use-chat#what-is-different',
    ],
  },
  { asked: 'what is CAP', answeredBy: ['/docs/cap#what-is-cap'] },
  { asked: 'Do I need a backend?', answeredBy: ['/docs/getting-started#what-do-i-need-and-in-which-versions'] },
  {
    asked: 'Is there an example I can run?',
    answeredBy: [
      '/docs/getting-started#how-do-i-see-it-running',
      '/docs/readme#see-it-run',
      '/docs/readme#a-chat-in-ten-lines',
    ],
  },
  {
    asked: 'How do I write my own agent?',
    answeredBy: ['/docs/server#how-do-i-write-an-agent', '/docs/server#what-is-createagenthandler'],
  },
  {
    asked: 'Can my backend be Python / FastAPI?',
    answeredBy: ['/docs/questions#can-my-agent-be-written-in-python', '/docs/models#fastapi'],
  },
  {
    asked: 'Does it work with LangChain?',
    after: 'Does it use websockets?',
    answeredBy: [
      '/docs/models#langgraph',
      '/docs/questions#can-my-agent-be-written-in-python',
      '/docs/questions#can-i-use-openai-anthropic-gemini-or-another-model',
    ],
  },
  { asked: 'Does it use WebSockets or SSE?', answeredBy: ['/docs/questions#does-it-use-websockets'] },
  {
    asked: 'Does it work with Vue?',
    answeredBy: ['/docs/questions#can-i-use-capstan-without-react-with-vue-or-svelte-for-example'],
  },
  {
    asked: 'And Svelte?',
    after: 'Does it work with Next.js?',
    answeredBy: ['/docs/questions#can-i-use-capstan-without-react-with-vue-or-svelte-for-example'],
  },
  {
    asked: 'Which React versions are supported?',
    answeredBy: ['/docs/getting-started#what-do-i-need-and-in-which-versions', '/docs/readme#a-chat-in-ten-lines'],
  },
  { asked: 'How big is the bundle size?', answeredBy: ['/docs/questions#how-large-is-it-in-a-bundle'] },
  { asked: 'Does it support markdown?', answeredBy: ['/docs/components#is-markdown-supported'] },
  { asked: 'syntax highlighting for code blocks', answeredBy: ['/docs/components#how-is-code-highlighted'] },
  {
    asked: 'How do I enable dark mode?',
    answeredBy: ['/docs/theming#how-does-dark-mode-work'],
  },
  {
    asked: 'Can I use Tailwind?',
    answeredBy: ['/docs/theming#how-do-i-use-it-with-tailwind-4', '/docs/theming#how-do-i-use-it-with-tailwind-3'],
  },
  { asked: 'Does it work with shadcn/ui?', answeredBy: ['/docs/theming#how-do-i-use-it-with-shadcn'] },
  {
    asked: 'How can I change the colors to match our brand?',
    answeredBy: ['/docs/theming#how-do-i-change-colours-fonts-and-sizes'],
  },
  {
    asked: 'Can users upload files or images?',
    answeredBy: [
      '/docs/components#how-do-people-attach-files',
      '/docs/hooks#how-do-i-send-files-with-a-message',
      '/docs/client#how-do-files-reach-the-agent',
    ],
  },
  { asked: 'How do I stop generation?', answeredBy: ['/docs/hooks#how-do-i-stop-an-answer'] },
  {
    asked: 'Does it support tool calling / function calling?',
    answeredBy: [
      '/docs/questions#can-it-call-tools',
      '/docs/components#how-are-tool-calls-artifacts-and-unknown-events-shown',
    ],
  },
  {
    asked: 'Can I render my own React components in the answer?',
    answeredBy: ['/docs/components#how-do-i-show-a-part-in-my-own-way'],
  },
  {
    asked: 'How do I show sources and citations (RAG)?',
    answeredBy: [
      '/docs/components#how-are-sources-shown',
      '/docs/questions#can-the-agent-answer-from-my-own-documents',
    ],
  },
  {
    asked: 'Is it production ready?',
    answeredBy: ['/docs/questions#is-it-ready-for-production', '/docs/readme#state-of-things'],
  },
  {
    asked: 'How is this different from Vercel AI SDK?',
    answeredBy: [
      '/docs/migrating-from-use-chat#what-is-different',
      '/docs/questions#how-does-it-compare-to-other-chat-libraries',
      '/docs/migrating-from-use-chat#migrating-from-usechat',
    ],
  },
  {
    asked: 'why not just use assistant-ui or CopilotKit',
    answeredBy: [
      '/docs/questions#how-does-it-compare-to-other-chat-libraries',
      '/docs/comparison#when-do-i-choose-usechat-assistant-ui-or-copilotkit-and-not-capstan',
    ],
  },
  {
    asked: 'Does it work with server components?',
    after: 'What is the bundle size?',
    answeredBy: [
      '/docs/hooks#do-the-hooks-work-with-server-rendering',
      '/docs/hooks#how-do-i-fetch-on-the-server-and-hydrate',
      '/docs/persistence#how-do-i-show-what-was-said-on-another-device',
    ],
  },
  { asked: 'I get a CORS error', answeredBy: ['/docs/server#how-do-i-allow-pages-of-another-origin-cors'] },
  {
    asked: 'How do I handle authentication?',
    answeredBy: [
      '/docs/server#how-do-i-know-who-is-calling',
      '/docs/client#how-do-i-renew-a-token',
      '/docs/getting-started#where-does-my-api-key-go',
    ],
  },
  {
    asked: 'Does the conversation survive a page refresh?',
    answeredBy: ['/docs/persistence#how-do-i-keep-conversations-over-a-reload'],
  },
  {
    asked: 'How do I show a sidebar with all chats?',
    answeredBy: ['/docs/persistence#how-do-i-show-a-list-of-conversations'],
  },
  {
    asked: 'How do I test this with Vitest or Jest?',
    answeredBy: [
      '/docs/testing#how-do-i-test-my-app-without-a-backend',
      '/docs/testing#how-do-i-test-a-component-with-a-chat',
    ],
  },
  {
    asked: 'is it accessible? screen readers?',
    answeredBy: [
      '/docs/components#how-accessible-are-the-components-with-a-screen-reader-or-the-keyboard',
      '/docs/accessibility#what-does-a-screen-reader-say-by-itself',
      '/docs/accessibility#accessibility',
    ],
  },
  { asked: 'Which browsers are supported?', answeredBy: ['/docs/theming#which-browsers-does-it-need'] },
  {
    asked: 'Can I deploy it to Vercel or Cloudflare Workers, serverless?',
    answeredBy: [
      '/docs/client#does-it-work-in-a-service-worker-or-on-the-edge',
      '/docs/server#how-do-i-shut-down',
      '/docs/questions#can-i-deploy-it-to-a-serverless-platform',
    ],
  },
  { asked: 'Does it phone home or collect telemetry?', answeredBy: ['/docs/questions#does-it-send-my-data-anywhere'] },
]
