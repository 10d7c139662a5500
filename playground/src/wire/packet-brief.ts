import type { CapPacket } from 'capstan'

const LONGEST = 120

/** A packet in one short line of text. */
export function packetBrief(packet: CapPacket): string {
  switch (packet.op) {
    case 'DELTA':
      return clip(JSON.stringify(packet.p))
    case 'EVENT':
      return clip(typeof packet.p['type'] === 'string' ? packet.p['type'] : JSON.stringify(packet.p))
    case 'ERROR':
      return clip(`${packet.p.severity} ${packet.p.code}`)
    case 'CLOSE':
      return packet.p === undefined ? '' : clip(JSON.stringify(packet.p))
  }
}

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
