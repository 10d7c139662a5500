import { planOutages } from './outage-plans.ts'
import { playOutage } from './play-outage.ts'

/** Divides every time of an outage, so that 50 of them take a minute. */
const HURRY = 5

/** Plays so many outages of a Redis alone, one after the other, until one of them breaks a promise. */
export async function runSchedules({ count }: { readonly count: number }): Promise<{
  readonly played: number
  readonly failure?: { readonly words: string }
}> {
  let played = 0
  for (const plan of planOutages({ count, store: 'alone', hurry: HURRY })) {
    const { broken } = await playOutage(plan)
    played += 1
    if (broken.length > 0) return { played, failure: { words: broken.join('; ') } }
  }
  return { played }
}
