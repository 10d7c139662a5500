/** What is used of the SDKs. Their types are there only where the packages of test/models are installed. */
interface StreamOptions {
  readonly signal: AbortSignal
}

type OpenAiSdk = new (options: object) => {
  readonly responses: { create(body: object, options: StreamOptions): Promise<AsyncIterable<object>> }
}

type AnthropicSdk = new (options: object) => {
  readonly messages: { create(body: object, options: StreamOptions): Promise<AsyncIterable<object>> }
}

async function load<Default>(...path: readonly string[]): Promise<Default> {
  const { default: found } = (await import(/* @vite-ignore */ path.join('/'))) as { readonly default: Default }
  return found
}

export const VENDOR_SDKS = {
  OpenAI: await load<OpenAiSdk>('openai'),
  Anthropic: await load<AnthropicSdk>('@anthropic-ai', 'sdk'),
}
