// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { Chat } from '../../src/components/chat.tsx'
import { MediaCarousel } from '../../src/components/media-carousel.tsx'
import { MediaPolicyProvider, useMediaConsent } from '../../src/components/media-policy.tsx'
import type { RootProps } from '../../src/components/internals/part.ts'
import type { MediaItem } from '../../src/seam/agent-event.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { answer, createFakeChat } from './fake-chat.ts'
import './show.tsx'

const bend: MediaItem = { url: 'https://pictures.example/a.jpg', mimeType: 'image/jpeg', alt: 'A bend' }
const clip: MediaItem = { url: 'https://films.example/flood.webm', mimeType: 'video/webm', alt: 'A flood' }
const DOT = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const state = (): string | undefined => screen.getByRole('figure').dataset['state']
const sources = (): (string | null)[] =>
  [...document.querySelectorAll('[src]')].map((element) => element.getAttribute('src'))

describe('pictures from elsewhere', () => {
  it('are not loaded until they are asked for', () => {
    render(<MediaCarousel items={[bend]} />)
    expect(sources()).toEqual([])
    expect(document.querySelector('link')).toBeNull()
    expect(state()).toBe('asking')
    const button = screen.getByRole('button', { name: /Load image/ })
    expect(button.textContent).toBe('pictures.exampleJPEG, not loaded yetLoad image')
    fireEvent.click(button)
    expect(state()).toBe('loading')
    const image = screen.getByRole('img', { name: 'A bend' })
    expect(image.getAttribute('src')).toBe('https://pictures.example/a.jpg')
    expect(image.getAttribute('referrerpolicy')).toBe('no-referrer')
    expect(image.getAttribute('loading')).toBe('lazy')
    fireEvent.load(image)
    expect(state()).toBe('loaded')
  })

  it('that fail keep their box and can be asked for again, with the keyboard where it was', () => {
    render(<MediaCarousel items={[bend]} />)
    const button = screen.getByRole('button')
    button.focus()
    fireEvent.click(button)
    fireEvent.error(screen.getByRole('img'))
    expect(state()).toBe('failed')
    expect(sources()).toEqual([])
    expect(button.textContent).toBe('pictures.exampleCouldn’t loadRetry')
    fireEvent.click(button)
    fireEvent.load(screen.getByRole('img'))
    expect(state()).toBe('loaded')
    expect(screen.getByRole('button')).toBe(button)
    expect(document.activeElement).toBe(button)
  })

  it('are not asked for by a page that the server renders', () => {
    const html = renderToString(<MediaCarousel items={[bend, clip]} />)
    expect(html).not.toContain('a.jpg')
    expect(html).not.toContain('flood.webm')
    // Lazy pictures are left out of what React preloads, even where their host is allowed.
    expect(renderToString(<MediaCarousel items={[bend]} allowedHosts={['pictures.example']} />)).not.toContain(
      'preload',
    )
  })

  it('ask again when another address takes their place', () => {
    const { rerender } = render(<MediaCarousel items={[bend]} />)
    fireEvent.click(screen.getByRole('button'))
    expect(sources()).toHaveLength(1)
    rerender(<MediaCarousel items={[{ ...bend, url: 'https://pictures.example/b.jpg' }]} />)
    expect(sources()).toEqual([])
  })

  it('carry nothing but the picture when it is in the address itself', () => {
    render(<MediaCarousel items={[{ url: DOT, mimeType: 'image/gif', alt: 'A dot' }]} />)
    expect(sources()).toEqual([DOT])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    '/relative.png',
    '//a.example/x.png',
    '',
  ])('at %j are said to have no address', (url) => {
    render(<MediaCarousel items={[{ url, mimeType: 'image/png' }]} />)
    expect(screen.getByText('This link can’t be opened')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
    expect(sources()).toEqual([])
  })
})

describe('sound and film', () => {
  it.each([
    [clip, 'Load video'],
    [{ ...clip, mimeType: 'audio/ogg' }, 'Load audio'],
  ])('are asked for, do not play by themselves, and take the keyboard from the button that asked', (item, words) => {
    render(<MediaCarousel items={[item]} />)
    expect(document.querySelector('video')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: new RegExp(words) }))
    const player = screen.getByLabelText<HTMLVideoElement>('A flood')
    expect(player.controls).toBe(true)
    expect(player.autoplay).toBe(false)
    expect(player.getAttribute('src')).toBe(clip.url)
    expect(player.hasAttribute('poster')).toBe(false)
    expect(player.querySelector('track')).toBeNull()
    fireEvent.error(player)
    expect(state()).toBe('failed')
  })

  it('and other files are links that tell nothing of this page', () => {
    render(
      <MediaCarousel
        items={[
          { url: 'https://files.example/r.pdf', mimeType: 'application/pdf' },
          { url: 'https://files.example/r', mimeType: '' },
        ]}
      />,
    )
    expect(
      screen
        .getAllByRole('link')
        .map((link) => [link.getAttribute('href'), link.getAttribute('rel'), link.getAttribute('referrerpolicy')]),
    ).toEqual([
      ['https://files.example/r.pdf', 'noopener noreferrer nofollow', 'no-referrer'],
      ['https://files.example/r', 'noopener noreferrer nofollow', 'no-referrer'],
    ])
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('hosts the app allows', () => {
  const loads = (url: string, allowedHosts: readonly string[]): boolean => {
    const { unmount } = render(
      <MediaPolicyProvider allowedHosts={allowedHosts}>
        <MediaCarousel items={[{ ...bend, url }]} />
      </MediaPolicyProvider>,
    )
    const loaded = sources().length > 0
    unmount()
    return loaded
  }

  it.each([
    ['https://cdn.example/a.png', ['cdn.example']],
    ['https://CDN.example/a.png', ['Cdn.Example']],
    ['https://a.cdn.example/a.png', ['*.cdn.example']],
    ['https://a.b.cdn.example/a.png', ['other.example', '*.cdn.example']],
    ['https://cdn.example:8443/a.png', ['cdn.example:8443']],
  ])('%s loads at once for %j', (url, hosts) => {
    expect(loads(url, hosts)).toBe(true)
  })

  it.each([
    ['http://cdn.example/a.png', ['cdn.example']],
    ['https://a.cdn.example/a.png', ['cdn.example']],
    ['https://cdn.example/a.png', ['*.cdn.example']],
    ['https://evilcdn.example/a.png', ['*.cdn.example', 'cdn.example']],
    ['https://cdn.example.evil.example/a.png', ['*.cdn.example', 'cdn.example']],
    ['https://cdn.example@evil.example/a.png', ['cdn.example']],
    ['https://cdn.example:8443/a.png', ['cdn.example']],
    ['https://cdn.example/a.png', ['*', '', 'https://cdn.example']],
    ['javascript:alert(1)', ['*.cdn.example']],
  ])('%s asks for %j', (url, hosts) => {
    expect(loads(url, hosts)).toBe(false)
  })

  it('of a carousel are in place of those around', () => {
    render(
      <MediaPolicyProvider allowedHosts={['pictures.example']}>
        <MediaCarousel items={[bend]} allowedHosts={[]} />
      </MediaPolicyProvider>,
    )
    expect(sources()).toEqual([])
  })

  it('reach through a chat, and through providers around one another', () => {
    const media: MessagePart = { type: 'media', id: 'm', items: [bend] }
    const chat = createFakeChat({ messages: [answer('a', [media])] })
    const { rerender } = render(<Chat chat={chat} allowedMediaHosts={['pictures.example']} />)
    expect(sources()).toEqual([bend.url])
    rerender(<Chat chat={chat} />)
    expect(sources()).toEqual([])
    rerender(
      <MediaPolicyProvider allowedHosts={['pictures.example']}>
        <Chat chat={chat} />
      </MediaPolicyProvider>,
    )
    expect(sources()).toEqual([bend.url])
  })

  it('are not needed for what the reader asked for before, in a part that is shown again', () => {
    const view = (key: string) => (
      <MediaPolicyProvider>
        <MediaCarousel key={key} items={[bend]} />
      </MediaPolicyProvider>
    )
    const { rerender } = render(view('first'))
    fireEvent.click(screen.getByRole('button'))
    rerender(view('second'))
    expect(sources()).toEqual([bend.url])
  })

  it('never make a page of what is not a picture', () => {
    const Consent = ({ address }: { readonly address: string }) => {
      const [allowed, ask] = useMediaConsent(address)
      return <button onClick={ask}>{String(allowed)}</button>
    }
    render(<Consent address="javascript:alert(1)" />)
    fireEvent.click(screen.getByRole('button'))
    expect(screen.getByRole('button').textContent).toBe('false')
  })
})

describe('a row of media', () => {
  it('says what it is, how much there is, and names a picture that has no words', () => {
    render(<MediaCarousel items={[{ url: DOT, mimeType: 'image/gif' }, bend, clip]} />)
    const region = screen.getByRole('group', { name: 'Media' })
    expect(region.textContent).toContain('3 items')
    expect(screen.getByRole('img', { name: 'Image 1' })).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(3)
  })

  it('is nothing without items', () => {
    expect(render(<MediaCarousel items={[]} />).container.innerHTML).toBe('')
  })

  it('is on an element of your own', () => {
    render(<MediaCarousel items={[bend]} render={(props, { count }) => <article {...props} data-count={count} />} />)
    expect(screen.getByRole('article').dataset['count']).toBe('1')
    expect(screen.getByRole('article').className).toContain('cs-media')
  })

  it('does not render when the answer around it grows', () => {
    const root = vi.fn((props: RootProps) => <section {...props} />)
    const items = [bend]
    const view = (words: string) => (
      <div>
        {words}
        <MediaCarousel items={items} render={root} />
      </div>
    )
    const { rerender } = render(view('one'))
    rerender(view('one two'))
    expect(root).toHaveBeenCalledTimes(1)
  })
})
