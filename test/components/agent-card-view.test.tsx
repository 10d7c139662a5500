// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { AgentCardView, securityLabel, type AgentDescription } from '../../src/components/agent-card-view.tsx'
import { MediaPolicyProvider } from '../../src/components/media-policy.tsx'
import type { AgentCard } from '../../src/protocols/a2a/agent-card.ts'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { arabic, chinese, german } from '../../src/locales.ts'
import './show.tsx'

const AGENT: AgentDescription = {
  name: 'Rivers',
  description: 'Maps river reaches.',
  version: '2.3.0',
  iconUrl: 'https://agent.example/icon.png',
  documentationUrl: 'https://docs.example/rivers',
  provider: { organization: 'River Office', url: 'https://rivers.example' },
  skills: [
    {
      id: 'bends',
      name: 'Estimate bends',
      description: 'From survey data',
      examples: ['How wide is the Loire?', 'Draw a bend'],
    },
    { id: 'lakes', name: 'Find oxbow lakes' },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: true,
    extensions: [{ uri: 'https://ext.example/citations/v1', required: true }, { uri: 'https://ext.example/other' }],
  },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'text/csv'],
  securitySchemes: { key: { apiKeySecurityScheme: { name: 'X-Key', location: 'header' } }, o: { type: 'oauth2' } },
  supportedInterfaces: [{ url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
}
const lists = (name: string): string[] =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '')

describe('the card of an agent', () => {
  it('says who it is, what it can do and how it is reached', () => {
    const { container } = render(<AgentCardView agent={AGENT} />)
    expect(screen.getByRole('article', { name: 'Rivers' })).toBeTruthy()
    expect(container.querySelector('.cs-agent-name')?.textContent).toBe('RiversRiver Office · version 2.3.0')
    expect(screen.getByText('Maps river reaches.')).toBeTruthy()
    expect(lists('Capabilities')).toEqual(['Streaming', 'Push notifications'])
    expect(lists('Sign-in methods')).toEqual(['API key', 'OAuth 2.0'])
    expect(lists('Interfaces')).toEqual(['JSONRPC'])
    expect([...container.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
      'text/plain',
      'text/plain',
      'text/csv',
      'JSONRPC · 1.0 · https://agent.example/a2a',
      'https://ext.example/citations/v1 (required)',
      'https://ext.example/other',
    ])
  })

  it('is whole with a name alone', () => {
    const { container } = render(<AgentCardView agent={{ name: 'Rivers' }} />)
    expect(container.textContent).toBe('RRivers')
    expect(container.querySelector('ul, details, a')).toBeNull()
  })

  it('takes the card of an A2A agent as it is', () => {
    expectTypeOf<AgentCard>().toExtend<AgentDescription>()
  })

  it('loads its icon from hosts that are allowed, and from no other', () => {
    const { container, rerender } = render(<AgentCardView agent={AGENT} />)
    expect(container.querySelector('img')).toBeNull()
    expect(container.querySelector('.cs-agent-icon')?.textContent).toBe('R')
    const within = (agent: AgentDescription): React.ReactElement => (
      <MediaPolicyProvider allowedHosts={['agent.example']}>
        <AgentCardView agent={agent} />
      </MediaPolicyProvider>
    )
    rerender(within(AGENT))
    const img = container.querySelector('img')
    expect(img?.getAttribute('src')).toBe('https://agent.example/icon.png')
    expect(img?.getAttribute('alt')).toBe('')
    expect(img?.getAttribute('referrerpolicy')).toBe('no-referrer')
    if (img) fireEvent.error(img)
    expect(container.querySelector('img')).toBeNull()
    for (const iconUrl of [
      'http://agent.example/icon.png',
      'javascript:alert(1)',
      'https://agent.example.evil/i.png',
    ]) {
      rerender(within({ ...AGENT, iconUrl }))
      expect(container.querySelector('img'), iconUrl).toBeNull()
    }
  })

  it('has links to web addresses only', () => {
    const { rerender } = render(<AgentCardView agent={AGENT} />)
    const links = screen.getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'River Officeopens in a new tab',
      'Documentationopens in a new tab',
    ])
    expect(new Set(links.map((link) => link.getAttribute('rel')))).toEqual(new Set(['noopener noreferrer nofollow']))
    rerender(
      <AgentCardView
        agent={{ ...AGENT, documentationUrl: 'javascript:alert(1)', provider: { url: 'data:text/html,1' } }}
      />,
    )
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('offers the examples of its skills, and has them as words where nobody takes them', () => {
    const onExample = vi.fn()
    const { rerender } = render(<AgentCardView agent={AGENT} onExample={onExample} />)
    fireEvent.click(screen.getByRole('button', { name: 'Draw a bend' }))
    expect(onExample.mock.calls).toEqual([['Draw a bend']])
    rerender(<AgentCardView agent={AGENT} />)
    expect(screen.queryByRole('button', { name: 'Draw a bend' })).toBeNull()
    expect(screen.getByText('Draw a bend')).toBeTruthy()
  })

  it('shows four skills of many, and the others on request, where the focus goes', () => {
    const skills = Array.from({ length: 9 }, (_, at) => ({ id: `${at}`, name: `Skill ${at}` }))
    render(<AgentCardView agent={{ ...AGENT, skills }} />)
    expect(lists('Skills')).toHaveLength(4)
    fireEvent.click(screen.getByRole('button', { name: 'Show 5 more skills' }))
    expect(lists('Skills')).toHaveLength(9)
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Skills' }))
  })

  it.each([
    ['unsigned', 'Not signed'],
    ['unknown-key', 'Signature not verified'],
    ['valid', 'Signature verified'],
    ['partly-signed', 'Partly signed'],
    ['invalid', 'Invalid signature'],
  ] as const)('that is %s says %j', (signature, words) => {
    const { container } = render(<AgentCardView agent={AGENT} signature={signature} />)
    expect(screen.getByText(words)).toBeTruthy()
    expect(container.querySelector('article')?.dataset['signature']).toBe(signature)
  })

  it.each([
    ['English', undefined, 'Not covered by the signature: Sign-in methods, Extensions, skills'],
    ['German', german, 'Nicht von der Signatur erfasst: Anmeldeverfahren, Erweiterungen, skills'],
    ['Chinese', chinese, '签名未涵盖：登录方式、扩展、skills'],
    ['Arabic', arabic, 'لا يشمل التوقيع: طرق تسجيل الدخول، الإضافات، skills'],
  ])('names the parts that are not signed, in %s', async (_, strings, words) => {
    const unsigned = ['securitySchemes', 'securityRequirements', 'capabilities.extensions', 'skills']
    render(
      <DictionaryProvider strings={strings}>
        <AgentCardView agent={AGENT} signature="partly-signed" unsigned={unsigned} />
      </DictionaryProvider>,
    )
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('names no part where the signature covers all', () => {
    render(<AgentCardView agent={AGENT} signature="valid" unsigned={[]} />)
    expect(screen.queryByText(/Not covered/)).toBeNull()
  })

  it('stays small with a card that is not', () => {
    const many = <Item,>(item: (at: number) => Item): Item[] => Array.from({ length: 5_000 }, (_, at) => item(at))
    const examples = many((at) => `e${at}`)
    const { container } = render(
      <AgentCardView
        agent={{
          name: 'x'.repeat(10_000),
          skills: many((at) => ({ id: `${at}`, name: 'S', examples })),
          capabilities: { extensions: many((at) => ({ uri: `u${at}` })) },
          securitySchemes: Object.fromEntries(many((at) => [`s${at}`, {}])),
          supportedInterfaces: many((at) => ({ url: `u${at}`, protocolBinding: `b${at}` })),
        }}
      />,
    )
    expect(container.querySelectorAll('*').length).toBeLessThan(600)
  })
})

describe('a way to sign in', () => {
  it.each([
    ['of A2A 1.0', { httpAuthSecurityScheme: { scheme: 'Bearer' } }, 'HTTP Bearer'],
    ['of A2A 0.3', { type: 'http', scheme: 'basic' }, 'HTTP basic'],
    ['over HTTP without a scheme', { type: 'http' }, 'HTTP'],
    ['with a key', { type: 'apiKey', in: 'header', name: 'X' }, 'API key'],
    ['by OpenID', { openIdConnectSecurityScheme: {} }, 'OpenID Connect'],
    ['by certificate', { type: 'mutualTLS' }, 'Mutual TLS'],
    ['of another kind', { type: 'retina' }, 'mine'],
    ['that is no object', 'basic', 'mine'],
    ['with a name of every object', { type: 'constructor' }, 'mine'],
  ])('%s has its common name', (_, scheme, label) => {
    expect(securityLabel('mine', scheme, 'API key')).toBe(label)
  })
})
