import { noop } from '../../../../base/noop.ts'
import type { GatewayConnection } from './gateway-connection.ts'

/** The client itself pings as often, in seconds. */
const OWN_SECONDS = 20

/** Sends a message at the runtime's required interval, if that is shorter than the client's own. */
export function keepAlive(gateway: GatewayConnection, seconds: number | undefined): void {
  if (seconds === undefined || seconds <= 0 || seconds > OWN_SECONDS || !gateway.features.has('heartbeat')) return
  const ms = Math.max(seconds, 1) * 1000
  const beat = (): void => {
    gateway.barrier(noop)
    gateway.later(ms, beat)
  }
  gateway.later(ms, beat)
}
