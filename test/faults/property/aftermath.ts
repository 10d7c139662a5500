import { promise, worstMinute } from './invariants.ts'
import type { VirtualServer } from './virtual-server.ts'
import type { VirtualDevice, VirtualTime } from './virtual-world.ts'

/** The attempts of one run. */
export interface RunLog {
  readonly times: number[]
  /** A user had a hand in it. */
  byPerson: boolean
  /** Another page continued with it, whose pace begins again. */
  isTakenOver: boolean
}

const MOST_ATTEMPTS = 15
const MOST_ATTEMPTS_WITH_PERSON = 20

export function assertNothingLeft(time: VirtualTime, device: VirtualDevice, server: VirtualServer): void {
  promise(time.clientTimers === 0, () => `${time.clientTimers} timers are left`)
  promise(device.listeners === 0, () => `${device.listeners} listeners are left`)
  promise(device.placesTaken === 0, () => `${device.placesTaken} places are left taken`)
  promise(server.live.size === 0, () => 'a connection is left open')
}

export function assertPaced({ times, byPerson, isTakenOver }: RunLog): void {
  if (isTakenOver) return
  const worst = worstMinute(times)
  promise(
    worst <= (byPerson ? MOST_ATTEMPTS_WITH_PERSON : MOST_ATTEMPTS),
    () => `${worst} attempts in a minute${byPerson ? ' with a user' : ''}`,
  )
}
