import {act, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {readAloudMachine} from '#machines/read-aloud/read-aloud.machine.ts'
import {spokenText} from '#features/chat/markdown/plain-text.ts'
import {record} from './chat-fixture.tsx'
import {settled, showScreen} from './chat-screen-fixture.tsx'

describe('an answer that is read aloud', () => {
  beforeEach(() => {
    for (const name of ['speechSynthesis', 'SpeechSynthesisUtterance']) vi.stubGlobal(name, {})
  })
  afterEach(() => void vi.unstubAllGlobals())

  /** The menu of the answer, which follows that of the question. */
  const more = async () => (await screen.findAllByRole('button', {name: 'More actions'})).at(-1) as HTMLElement // as: find throws on none

  /** A voice that the test ends or breaks. */
  async function openAnswer(loaded = Promise.resolve()) {
    const read: {text: string; signal: AbortSignal; end: () => void; fail: () => void}[] = []
    const voice = readAloudMachine.provide({
      actors: {
        readText: fromPromise<void, {text: string}>(
          ({input: {text}, signal}) =>
            new Promise<void>((end, reject) =>
              read.push({text: spokenText(text), signal, end, fail: () => reject(new Error('no voice'))}),
            ),
        ),
      },
    })
    const shown = await showScreen(
      'a',
      {records: [settled({content: '**Guten** Tag.'}), record('b')]},
      undefined,
      undefined,
      {
        startVoice: async () => {
          await loaded
          return createActor(voice).start()
        },
      },
    )
    const user = userEvent.setup()
    const readAloud = async () => {
      await user.click(await more())
      await user.click(await screen.findByRole('menuitem', {name: 'Read aloud'}))
      await screen.findByRole('button', {name: 'Stop reading'})
    }
    return {...shown, read, user, readAloud}
  }
  const stop = () => screen.queryByRole('button', {name: 'Stop reading'})

  test('is read without its marks, is stopped by its button, and ends by itself', async () => {
    const {read, user, readAloud} = await openAnswer()
    await readAloud()
    expect(read.map(({text}) => text)).toEqual(['Guten Tag.'])
    await user.click(screen.getByRole('button', {name: 'Stop reading'}))
    await waitFor(() => expect(stop()).toBeNull())
    expect(read[0]?.signal.aborted).toBe(true)
    expect(document.activeElement).toBe(await more())
    await readAloud()
    await act(async () => read[1]?.end())
    await waitFor(() => expect(stop()).toBeNull())
  })

  test('does not begin where the voice comes after its conversation was left', async () => {
    let arrive = () => undefined as void
    const {read, goTo, user} = await openAnswer(new Promise((resolve) => (arrive = resolve)))
    await user.click(await more())
    await user.click(await screen.findByRole('menuitem', {name: 'Read aloud'}))
    goTo('b')
    await waitFor(() => expect(screen.queryByText('Guten')).toBeNull())
    await act(async () => arrive())
    goTo('a')
    await more()
    expect([read.length, stop()]).toEqual([0, null])
  })

  test('falls silent when its conversation is left', async () => {
    const {read, goTo, readAloud} = await openAnswer()
    await readAloud()
    goTo('b')
    await waitFor(() => expect(read[0]?.signal.aborted).toBe(true))
    goTo('a')
    await more()
    expect(stop()).toBeNull()
  })

  test('says where the browser has no voice for it', async () => {
    const {read, readAloud} = await openAnswer()
    await readAloud()
    await act(async () => read[0]?.fail())
    expect(await screen.findByText('This browser has no voice for it.')).toBeVisible()
    expect(stop()).toBeNull()
  })
})
