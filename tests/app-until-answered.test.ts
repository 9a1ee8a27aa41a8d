import {expect, test, vi} from 'vitest'
import {untilAnswered} from '#app/logic/until-answered.ts'
import {start, settled} from './machines/conversation-list-fixture.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('work that can wait begins once the last running answer has ended', async () => {
  const {list, ask, answer} = start([settled('a'), settled('b')])
  list.send({type: 'conversation.open', key: 'a'})
  ask('a', 'first')
  list.send({type: 'conversation.open', key: 'b'})
  ask('b', 'second')
  const begin = vi.fn()
  const silence = untilAnswered(list).then(begin)
  answer('first', 'a')
  await settle()
  expect(begin).not.toHaveBeenCalled()
  answer('second', 'b')
  await silence
  expect(begin).toHaveBeenCalledOnce()
})

test('it begins at once where nothing is answered and where there is no list, and when the list ends', async () => {
  await untilAnswered(undefined)
  const {list, ask, end} = start([settled('a')])
  await untilAnswered(list)
  list.send({type: 'conversation.open', key: 'a'})
  ask('a', 'first')
  const silence = untilAnswered(list)
  end()
  await silence
})
