import {describe, expect, test} from 'vitest'
import {startOwner} from './media-fixtures.ts'
import {createActor} from 'xstate'
import {tool} from '#contract/media/suno.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {createGenerationLogic} from '#app/logic/media/generation.logic.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

// as: the exact form of suno is forgotten, as the client forgets it
// as: a tool of any form, as the loader of tools gives it
const suno = tool as unknown as MediaTool
const recording = 'https://files.test/own.mp3'

const upload = (id: string, isDone: boolean, url = recording): TaskRecord =>
  toTaskRecord(suno, {
    id,
    type: 'audios',
    created_at: 100,
    request: {audio_url: url},
    response: isDone
      ? {success: true, task_id: id, data: {audio_id: `song-${id}`, audio_url: url, duration: 12}}
      : undefined,
  })

/** The form of suno with an own recording in it, beside a list. */
function open() {
  const list = createActor(taskListMachine, {
    input: {
      userId: 'u-1',
      ref: {tool: 'suno', service: 'suno', serviceId: 's-1'},
      environment: startEnvironment(),
      parentRef: nobody,
      session: nobody,
    },
  }).start()
  stopAfterTest(list)
  const form = () =>
    createActor(
      createGenerationLogic(suno, {
        list: () => list,
        uploads: () => undefined,
        slices: {read: () => ({}), write: () => undefined},
      }),
      {input: {tool: 'suno', owner: startOwner(true, {tool: 'suno'}).owner, restored: {reference_url: recording}}},
    ).start()
  return {list, form}
}

describe('an own recording', () => {
  test('is extended next, once it was prepared', () => {
    const {list, form} = open()
    const actor = form()
    list.send({type: 'tasks.polled', records: [upload('a', false)]})
    expect(actor.getSnapshot().context.form).toMatchObject({reference_url: recording, action: ''})
    list.send({type: 'tasks.polled', records: [upload('a', true)]})
    expect(actor.getSnapshot().context.form).toEqual({
      mode: 'custom',
      action: 'upload_extend',
      audio_id: 'song-a',
      source_seconds: 12,
      reference_url: '',
      model: 'chirp-v4-5',
      prompt: '',
      instrumental: false,
      lyric: '',
      style: '',
      title: '',
      source_cover: '',
      source_title: '',
      source_style: '',
    })
  })

  test('is not extended under the words of the song that it replaced', () => {
    const {list, form} = open()
    const actor = form()
    const song = {mode: 'custom', audio_id: 'song-z', action: 'extend', source_title: 'Rain', source_style: 'lo-fi'}
    actor.send({type: 'form.fill', values: {...song, title: 'Rain', style: 'lo-fi', reference_url: ''}})
    actor.send({type: 'field.change', field: 'audio_id', value: ''})
    expect(actor.getSnapshot().context.form).toMatchObject({title: '', style: ''})
    actor.send({type: 'field.change', field: 'reference_url', value: recording})
    list.send({type: 'tasks.polled', records: [upload('a', true)]})
    expect(actor.getSnapshot().context.form).toMatchObject({action: 'upload_extend', title: '', style: ''})
  })

  test('that was prepared while nobody looked is taken up when the form is opened', () => {
    const {list, form} = open()
    list.send({type: 'tasks.polled', records: [upload('a', true)]})
    expect(form().getSnapshot().context.form).toMatchObject({action: 'upload_extend', audio_id: 'song-a'})
  })

  test('of another request changes nothing, and neither does one after the form has moved on', () => {
    const {list, form} = open()
    const actor = form()
    list.send({type: 'tasks.polled', records: [upload('b', true, 'https://files.test/other.mp3')]})
    expect(actor.getSnapshot().context.form).toMatchObject({reference_url: recording, audio_id: ''})
    actor.send({type: 'field.change', field: 'reference_url', value: ''})
    list.send({type: 'tasks.polled', records: [upload('a', true)]})
    expect(actor.getSnapshot().context.form).toEqual({
      reference_url: '',
      audio_id: '',
      action: '',
      mode: 'simple',
      model: 'chirp-v4-5',
      prompt: '',
      instrumental: false,
      lyric: '',
      style: '',
      title: '',
      source_cover: '',
      source_title: '',
      source_style: '',
    })
  })
})
