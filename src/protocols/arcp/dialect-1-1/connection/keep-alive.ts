import { noop } from '../../../../base/noop.ts'
import type { GatewayConnection } from './gateway-connection.ts'

/** The client itself pings as often, in seconds. */
const OWN_SECONDS = 20

/** Says something as often as the runtime wants to hear from a client, where that is more often than the client does by itself. */
export function keepAlive(gateway: GatewayConnection, seconds: number | undefined): void {
  if (seconds === undefined || seconds <= 0 || seconds > OWN_SECONDS || !gateway.features.has('heartbeat')) return
  const ms = Math.max(seconds, 1) * 1000
  const beat = (): void => {
    gateway.barrier(noop)
    gateway.later(ms, beat)
  }
  gateway.later(ms, beat)
}
