import { isAgentError } from 'capstan'
import type { CapClient } from 'capstan'
import type { Settings } from './settings.ts'
import { readHosts, toBaseUrl } from './settings.ts'

/** The fields of the settings as they are being written. */
export interface SettingsDraft {
  readonly baseUrl: string
  readonly apiKey: string
  readonly seconds: string
  readonly retries: string
  readonly mediaHosts: string
  readonly markdown: boolean
}

export function toDraft({ baseUrl, apiKey, timeoutMs, maxRetries, mediaHosts, markdown }: Settings): SettingsDraft {
  return {
    baseUrl,
    apiKey,
    seconds: String(timeoutMs / 1000),
    retries: String(maxRetries),
    mediaHosts: mediaHosts.join(' '),
    markdown,
  }
}

export interface CheckedDraft {
  /** Absent: these settings cannot work. */
  readonly settings: Settings | undefined
  /** For asking the agent's health. */
  readonly client: CapClient | undefined
  /** What is wrong, in a sentence; empty when nothing is. */
  readonly problem: string
}

export function checkDraft(
  { baseUrl, apiKey, seconds, retries, mediaHosts, markdown }: SettingsDraft,
  createClient: (settings: Settings) => CapClient,
): CheckedDraft {
  const read = readHosts(mediaHosts)
  const hosts = 'hosts' in read ? read.hosts : []
  const settings: Settings = {
    baseUrl: toBaseUrl(baseUrl),
    apiKey,
    timeoutMs: Number(seconds) * 1000,
    maxRetries: Number(retries),
    mediaHosts: hosts,
    markdown,
  }
  try {
    const client = createClient(settings)
    return 'problem' in read
      ? { settings: undefined, client, problem: read.problem }
      : { settings, client, problem: '' }
  } catch (error) {
    return {
      settings: undefined,
      client: undefined,
      problem: isAgentError(error) ? error.message : 'These settings are invalid.',
    }
  }
}
