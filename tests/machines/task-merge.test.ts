import {describe, expect, test} from 'vitest'
import type {TaskStatus} from '#domain/task-status.ts'
import {activeOf, endedOf} from '#machines/task-list/task-list.selectors.ts'
import {mergeRecords, promptOf} from '#machines/tasks/tasks.rules.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {intent, record} from './media-fixtures.ts'
import {startTaskList} from './start-task-list.ts'

const ended = (status: TaskStatus, finishedAt?: number | null): TaskRecord => {
  const {finished_at: _, ...task} = record('a', status).task
  return {...record('a', status), task: {...task, ...(finishedAt === undefined ? {} : {finished_at: finishedAt})}}
}
const begun = (startedAt: number): TaskRecord => {
  const running = record('a')
  return {...running, task: {...running.task, started_at: startedAt}}
}

describe('pages of tasks are merged', () => {
  test('one per id, ascending by creation, equal times by id', () => {
    const known = mergeRecords([], [record('c', 'running', 3), record('a', 'running', 1)])
    const merged = mergeRecords(
      known,
      ['b', 'c', 'd'].map((id, index) => record(id, 'running', [1, 3, 2][index])),
    )
    expect(merged.map(({task}) => task.id)).toEqual(['a', 'b', 'd', 'c'])
  })

  test('what says nothing new changes no reference', () => {
    const known = [record('a'), record('b', 'succeeded', 200)]
    expect(mergeRecords(known, [record('b', 'succeeded', 200), record('a')])).toBe(known)
  })

  test.each(['succeeded', 'failed'] as const)('a task that %s never runs again', (status) => {
    const done = ended(status, 5)
    for (const running of [record('a'), begun(9), record('a', 'queued'), record('a', 'checking')]) {
      expect(mergeRecords([done], [running])).toEqual([done])
      expect(mergeRecords([running], [done])).toEqual([done])
    }
  })

  test('the one touched last is kept of two that run', () => {
    expect(mergeRecords([begun(6)], [begun(5)])).toEqual([begun(6)])
    expect(mergeRecords([begun(5)], [begun(6)])).toEqual([begun(6)])
  })

  test.each([
    ['at the same time', 5, 5],
    ['later', 5, 6],
    ['earlier', 5, 4],
    ['at a time nobody told', undefined, undefined],
    ['at a time that was told later', null, 6],
  ])('a success never becomes a failure, also %s', (_when, before, after) => {
    const done = ended('succeeded', before)
    expect(mergeRecords([done], [ended('failed', after)])).toEqual([done])
  })

  test.each([
    ['at the same time', 5, 5, 'failed'],
    ['later', 5, 6, 'succeeded'],
    ['earlier', 5, 4, 'failed'],
    ['at a time nobody told', 5, undefined, 'failed'],
    ['and nobody told when it had failed', undefined, 6, 'failed'],
  ])('a failure becomes a success that came strictly later: %s', (_when, before, after, status) => {
    const [merged] = mergeRecords([ended('failed', before)], [ended('succeeded', after)])
    expect(merged?.status).toBe(status)
  })

  test('the copy of an end that came last is kept, unless it is older', () => {
    const fresh: TaskRecord = {
      ...ended('succeeded', 5),
      reading: {artifacts: [{medium: 'image', url: '/signed-anew.png'}]},
    }
    expect(mergeRecords([ended('succeeded', 5)], [fresh])).toEqual([fresh])
    expect(mergeRecords([ended('succeeded', 6)], [fresh])).toEqual([ended('succeeded', 6)])
  })

  test('a page of 10,000 tasks is merged in one pass over them', () => {
    const many = Array.from({length: 10_000}, (_, index) => record(String(index), 'running', 10_000 - index))
    expect(mergeRecords(mergeRecords([], many), many.slice(0, 100))).toHaveLength(10_000)
  })
})

/** A list that holds these tasks. */
function listOf(items: readonly TaskRecord[]) {
  const run = startTaskList()
  run.list.send({type: 'tasks.polled', records: [...items]})
  return run
}

test('the last five ends of a list, by the time of their end', () => {
  const at = (id: string, createdAt: number, finishedAt: number): TaskRecord => {
    const done = record(id, 'succeeded', createdAt)
    return {...done, task: {...done.task, finished_at: finishedAt}}
  }
  const items = [
    at('slow', 1, 900),
    ...[2, 3, 4, 5, 6, 7].map((time) => at(`${time}`, time, time + 10)),
    record('z', 'running', 99),
  ]
  const run = listOf(items)
  run.list.send({type: 'task.remove', id: '6'})
  expect(endedOf(run.cards()).map(({id}) => id)).toEqual(['slow', '7', '5', '4', '3'])
  expect(endedOf(listOf([record('a', 'failed')]).cards())).toEqual([
    {id: 'a', status: 'failed', prompt: 'a', at: 100, endedAt: 109},
  ])
})

describe('what was asked for without words', () => {
  const made = (id: string, request: Record<string, unknown>, artifacts: TaskRecord['reading']['artifacts']) => {
    const done = record(id, 'succeeded')
    return {...done, task: {...done.task, request}, reading: {artifacts}}
  }
  const asked = (id: string, request: Record<string, unknown>, status: TaskStatus = 'running') => {
    const running = record(id, status)
    return {...running, task: {...running.task, request}}
  }
  const items = [
    made('song', {prompt: 'a song of the sea'}, [{medium: 'audio', id: 'a1', title: 'The Sea'}]),
    made('picture', {prompt: 'an owl'}, [{medium: 'image', id: 'i1'}]),
    made('larger', {image_id: 'i1'}, [{medium: 'image', id: 'i2'}]),
    asked('film', {audio_id: 'a1'}),
    asked('largest', {image_id: 'i2'}),
    asked('else', {image_id: 'none'}),
    asked('again', {audio_id: 'a1'}, 'failed'),
  ].map((item, index) => ({...item, task: {...item.task, created_at: 100 + index}}))

  test('goes in the tray by the title or the words of the result that it is made of, also while it is sent', () => {
    const run = listOf(items)
    const submission = {operation: 'mp4', body: {audio_id: 'a1'}}
    run.requests.send({type: 'task.submit', intent: {...intent('k', 99), submission}})
    expect(activeOf(run.cards()).map(({key, prompt}) => [key, prompt])).toEqual([
      ['else', ''],
      ['largest', 'an owl'],
      ['film', 'The Sea'],
      ['k', 'The Sea'],
    ])
  })

  test('goes by the same words when it has ended', () => {
    expect(endedOf(listOf(items).cards()).map(({id, prompt}) => [id, prompt])).toEqual([
      ['again', 'The Sea'],
      ['larger', 'an owl'],
      ['picture', 'an owl'],
      ['song', 'a song of the sea'],
    ])
  })

  test.each([
    ['https://atrium.test/files/1/Mein%20Lied.v2.mp3', 'Mein Lied.v2'],
    ['https://atrium.test/files/1/song.mp3?x=1', 'song'],
    ['https://atrium.test/files/1/%E0%A4%A.mp3', '%E0%A4%A'],
    ['https://atrium.test/files/1/.mp3', '.mp3'],
    ['', ''],
  ])('goes by the name of its file if it is a recording: %s', (address, name) => {
    expect(promptOf({audio_url: address})).toBe(name)
    expect(promptOf({audio_url: address, prompt: 'foo'})).toBe('foo')
  })
})
