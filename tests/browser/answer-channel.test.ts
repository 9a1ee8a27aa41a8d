import {describe, expect, test} from 'vitest'
import {createAnswerChannel, type AnswerWord} from '#browser/answer-channel.ts'

/** The channels of one browser: everybody of the same name hears, but not who spoke. */
function createBrowser() {
  const open = new Set<EventTarget & {name: string}>()
  const createChannel = (name: string) => {
    const channel = Object.assign(new EventTarget(), {
      name,
      postMessage: (data: unknown) => {
        if (!open.has(channel)) throw new DOMException('The channel is closed.', 'InvalidStateError')
        for (const other of open)
          if (other !== channel && other.name === name) other.dispatchEvent(new MessageEvent('message', {data}))
      },
      close: () => void open.delete(channel),
    })
    open.add(channel)
    // as: the channel uses these of a BroadcastChannel
    return channel as unknown as BroadcastChannel
  }
  return {open, createChannel}
}

const report: AnswerWord = {type: 'peer.reported', pieces: [{id: 'c', message: 'm', attempt: 1, from: 1, texts: ['a']}]}

describe('word of answers between tabs', () => {
  test('reaches the tabs of the same user, and nobody else', () => {
    const browser = createBrowser()
    const [first, second, other] = [1, 2, 3].map(() => createAnswerChannel(browser.createChannel))
    const heard: string[] = []
    first?.words$('u').subscribe(() => heard.push('first'))
    second?.words$('u').subscribe((word) => heard.push(word.type))
    other?.words$('v').subscribe(() => heard.push('other'))
    first?.tell('u', report)
    expect(heard).toEqual(['peer.reported'])
  })

  test('is over when nobody listens: a session that ended tells nothing', () => {
    const browser = createBrowser()
    const channel = createAnswerChannel(browser.createChannel)
    channel.words$('u').subscribe().unsubscribe()
    expect(browser.open.size).toBe(0)
    // a channel that is closed refuses to post
    expect(() => channel.tell('u', report)).not.toThrow()
  })

  test('what is no word does not exist', () => {
    const browser = createBrowser()
    const heard: AnswerWord[] = []
    createAnswerChannel(browser.createChannel)
      .words$('u')
      .subscribe((word) => heard.push(word))
    const stranger = browser.createChannel('atrium.answers.u')
    stranger.postMessage({type: 'peer.reported', pieces: [{id: 'c', from: 'one'}]})
    stranger.postMessage('peer.opened')
    stranger.postMessage({type: 'peer.opened'})
    expect(heard).toEqual([{type: 'peer.opened'}])
  })

  test('without channels there is no word', () => {
    const channel = createAnswerChannel(undefined)
    channel.words$('u').subscribe()
    channel.tell('u', report)
  })
})
