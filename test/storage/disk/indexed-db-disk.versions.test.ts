import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openIndexedDbDisk } from '../../../src/storage/disk/indexed-db-disk.ts'
import type { StoragePorts } from '../../../src/storage/tabs/chat-storage.ts'
import { settle } from '../../support/manual-clock.ts'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from '../fake-tabs.ts'

let names = 0
let name: string
let browser: FakeBrowser
let opened: number

beforeEach(() => {
  name = `versions ${(names += 1)}`
  browser = createFakeBrowser()
  opened = 0
  onTestFinished(() => void deleteDB(name))
})

function takenBefore(): never {
  throw new Error('A step that was taken is not taken again.')
}

/** IndexedDB answers in its own tasks. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await settle()
  await rest()
}

const today: StoragePorts['openDisk'] = (_name, events) => {
  opened += 1
  return openIndexedDbDisk(name, events, () => 'generation 1')
}

async function openTab(openDisk = today): Promise<FakeTab> {
  const tab = browser.openTab({ ports: { openDisk } })
  tab.store.subscribe(() => {})
  void tab.chat.resume()
  await quiet()
  return tab
}

async function ask(tab: FakeTab, question: string): Promise<void> {
  void tab.chat.sendMessage(question)
  await quiet()
  browser.peer.connection.say(1, 'Because.')
  browser.peer.connection.close(2)
  await quiet()
}

async function leave(tab: FakeTab): Promise<void> {
  await tab.close()
  tab.store.close()
  await quiet()
}

const WHY = ['user sent: Why?', 'assistant complete: Because.']
const HOW = ['user sent: How?', 'assistant complete: Because.']

describe('a conversation kept by an older version of the app', () => {
  it('is there after the upgrade, and continues', async () => {
    const old = await openTab()
    await ask(old, 'Why?')
    await leave(old)
    const upgraded = await openTab((_name, events) =>
      openIndexedDbDisk(name, events, () => 'generation 1', [takenBefore, takenBefore, () => {}]),
    )
    expect(upgraded.shown()).toEqual(WHY)
    await ask(upgraded, 'How?')
    expect(upgraded.store.getSnapshot().persistence).toEqual({ where: 'disk' })
    await leave(upgraded)
    const later = await openTab((_name, events) =>
      openIndexedDbDisk(name, events, () => 'generation 1', [takenBefore, takenBefore, takenBefore]),
    )
    expect(later.shown()).toEqual([...WHY, ...HOW])
  })

  it('keeps fields a newer app of the same version has written', async () => {
    const tab = await openTab()
    await ask(tab, 'Why?')
    await leave(tab)
    const database = await openDB(name)
    for (const store of ['threads', 'states', 'messages']) {
      const key = (await database.getAllKeys(store))[0] ?? ''
      await database.put(store, { ...((await database.get(store, key)) as object), later: 'kept' }, key)
    }
    database.close()
    const again = await openTab()
    expect(again.shown()).toEqual(WHY)
    await ask(again, 'How?')
    expect(again.shown()).toEqual([...WHY, ...HOW])
    const after = await openDB(name)
    expect(await after.get('messages', [CONVERSATION, 'answer-00000000-0000-4000-8000-000000000001'])).toMatchObject({
      later: 'kept',
    })
    after.close()
  })
})

describe('a database of a newer version of the app', () => {
  it('is left alone: the chat works from memory, says so, and does not open it again and again', async () => {
    const newer = await openDB(name, 99, { upgrade: (database) => void database.createObjectStore('future') })
    await newer.put('future', 'kept', 'key')
    newer.close()
    const tab = await openTab()
    await ask(tab, 'Why?')
    tab.store.writeDraft(CONVERSATION, 'And')
    await browser.environment.clock.advance(600_000)
    await quiet()
    expect(tab.shown()).toEqual(WHY)
    expect(tab.store.getSnapshot()).toMatchObject({
      persistence: { where: 'memory', reason: 'newer' },
      threads: [{ title: 'Why?' }],
    })
    expect(await tab.store.readDraft(CONVERSATION)).toBe('And')
    browser.environment.hide()
    browser.environment.show()
    await quiet()
    expect(opened).toBe(1)
    const after = await openDB(name)
    expect([after.version, await after.get('future', 'key')]).toEqual([99, 'kept'])
    after.close()
  })

  it('can come while an older app is open in the middle of an answer: the answer continues from memory', async () => {
    const tab = await openTab()
    await ask(tab, 'Why?')
    void tab.chat.sendMessage('How?')
    await quiet()
    browser.peer.connection.say(1, 'Be')
    await quiet()
    // Resolves only when the older app has let go of the database.
    const newer = await openDB(name, 99)
    expect(await newer.count('messages')).toBeGreaterThan(0)
    newer.close()
    browser.peer.connection.say(2, 'cause.')
    browser.peer.connection.close(3)
    await quiet()
    expect(tab.shown()).toEqual([...WHY, ...HOW])
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'memory', reason: 'newer' })
    await ask(tab, 'Why?')
    expect(tab.shown()).toEqual([...WHY, ...HOW, ...WHY])
  })
})
