// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { SignInCard } from '../../../src/components/prompt-body/sign-in-card.tsx'
import '../show.tsx'
import { createFakeControls, PROMPTS } from './fake-controls.ts'
import type { FakeControls } from './fake-controls.ts'

function show(url: string | undefined, change: object = {}): FakeControls {
  const fake = createFakeControls({ ...PROMPTS.signIn, url })
  const { used: _used, ...props } = fake
  render(<SignInCard {...props} decline={<button>Decline</button>} {...change} />)
  return fake
}

const host = (): string | null | undefined => screen.getByText('Site').nextElementSibling?.textContent

describe('a sign-in', () => {
  it('shows the host, and a link that tells the other page nothing of this one', () => {
    show('https://survey.example:8443/login?from=agent')
    expect(host()).toBe('survey.example:8443')
    const link = screen.getByRole('link', { name: /^Open sign-in page/ })
    expect(link.getAttribute('href')).toBe('https://survey.example:8443/login?from=agent')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toMatch(/noopener noreferrer/)
    expect(document.activeElement).toBe(document.body)
  })

  it('fetches nothing before the link is used', () => {
    show('https://survey.example/login')
    const { head, body } = document
    expect(
      [head, body].flatMap((element) => [...element.querySelectorAll('link, img, iframe, script, style')]),
    ).toEqual([])
  })

  it('says that it is done only when the user says so, and gives the button weight once the page was opened', () => {
    const { used } = show('https://survey.example/login')
    const done = screen.getByRole('button', { name: 'I have signed in' })
    expect(done.dataset['kind']).toBe('plain')
    fireEvent.click(screen.getByRole('link'))
    expect(used).toEqual([])
    expect(done.dataset['kind']).toBe('primary')
    fireEvent.click(done)
    expect(used).toEqual([['confirm']])
  })

  it('opens nothing and gives no answer while it is not ready', () => {
    const { used } = show('https://survey.example/login', { isReady: false })
    fireEvent.click(screen.getByRole('button', { name: 'I have signed in' }))
    // False: its default was prevented.
    expect(fireEvent.click(screen.getByRole('link'))).toBe(false)
    expect(used).toEqual([])
  })

  it.each(['http://localhost:8080/in', 'http://127.0.0.1/in', 'http://[::1]:3000/in', 'http://app.localhost/in'])(
    'opens %s, for it is on this device',
    (url) => {
      show(url)
      expect(screen.getByRole('link').getAttribute('href')).toBe(url)
    },
  )

  it.each([
    ['letters of other scripts', 'https://b\u0430nk.example/', 'xn--bnk-6cd.example'],
    ['a name of its own that is written so', 'https://login.xn--bnk-6cd.example/', 'login.xn--bnk-6cd.example'],
  ])('shows a host with %s as it is sent, and warns', (_, url, expected) => {
    show(url)
    expect(host()).toBe(expected)
    expect(screen.getByText(/letters of other scripts/)).toBeTruthy()
  })

  it('does not warn of a plain host', () => {
    show('https://survey.example/')
    expect(screen.queryByText(/letters of other scripts/)).toBeNull()
  })

  it.each([
    [undefined, /no address/],
    ['  ', /no address/],
    ['javascript:alert(1)', /cannot be opened/],
    ['data:text/html,hi', /cannot be opened/],
    ['/login', /cannot be opened/],
    ['mailto:a@b.example', /cannot be opened/],
    ['https://bank.example@evil.example/', /cannot be opened/],
    [`https://survey.example/${'x'.repeat(10_000)}`, /cannot be opened/],
    ['http://survey.example/', /not secure/],
    ['http://127.0.0.1.evil.example/', /not secure/],
    ['http://localhost.evil.example/', /not secure/],
  ])('says why %s is not offered, and can only be declined', (url, why) => {
    show(url)
    expect(screen.getByText(why)).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Decline'])
  })
})
