import {fireEvent, screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {attach} from './attached-files.ts'
import {modelNamed, showComposer} from './composer-fixture.tsx'

/* Files over the limits of the chosen model: said at the file, before anything is sent. */

const fileOf = (name: string, size: number, type = '') => new File([new Uint8Array(size)], name, {type})
const press = (name: string) => fireEvent.click(screen.getByRole('button', {name}))
const limit = /takes texts of at most/
const together = /together/

describe('a model with limits', () => {
  test('a text that is too long for it holds the message, and a model that reads it is offered', async () => {
    const {props, field} = showComposer({model: modelNamed('short')})
    attach(fileOf('log.txt', 1_600), fileOf('notes.md', 900))
    expect(await screen.findByText('Short takes texts of at most 1 kB. This one has 2 kB.')).toBeVisible()
    expect(await screen.findAllByText(/Ready/)).toHaveLength(1)
    fireEvent.change(field, {target: {value: 'foo'}})
    press('Send')
    expect(screen.getByRole('alert').textContent).toMatch(/^Nothing is sent until another model is chosen/)
    expect(props.onSend).not.toHaveBeenCalled()
    press('Use GPT-5')
    expect(props.onChooseModel).toHaveBeenCalledWith('gpt-5-all')
    press('Remove log.txt')
    expect(screen.queryByText(limit)).toBeNull()
    press('Send')
    expect(props.onSend).toHaveBeenCalledOnce()
  })

  test('a size just over a limit is told from it', async () => {
    showComposer({model: modelNamed('short')})
    attach(fileOf('log.txt', 1_001))
    expect(await screen.findByText('Short takes texts of at most 1 kB. This one has 1.1 kB.')).toBeVisible()
  })

  test.each([
    ['Makefile', ''],
    ['drawing.svg', 'image/svg+xml'],
    ['program.ts', 'video/mp2t'],
  ])('%s is a text', async (name, type) => {
    showComposer({model: modelNamed('short')})
    attach(fileOf(name, 2_000, type))
    expect(await screen.findByText(limit)).toBeVisible()
  })

  test.each(['photo.JPEG', 'paper.pdf', 'song.mp3'])('%s is none', async (name) => {
    showComposer({model: modelNamed('short')})
    attach(fileOf(name, 2_000))
    expect(await screen.findByText(/Ready/)).toBeVisible()
    expect(screen.queryByText(limit)).toBeNull()
  })

  test('files that are too large together hold the message until one is removed', async () => {
    const {props, field} = showComposer({model: modelNamed('short')})
    attach(fileOf('a.pdf', 2_000), fileOf('b.pdf', 2_000))
    expect(
      await screen.findByText('The files have 4 kB together. Short takes at most 3 kB with one question.'),
    ).toBeVisible()
    fireEvent.change(field, {target: {value: 'foo'}})
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).not.toHaveBeenCalled()
    expect(screen.getByRole('button', {name: 'Use GPT-5'})).toBeVisible()
    press('Remove a.pdf')
    expect(screen.queryByText(together)).toBeNull()
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).toHaveBeenCalledOnce()
  })

  test('files that it refuses anyway do not count', async () => {
    const images = modelNamed('gpt-4o')
    showComposer({model: images && {...images, mostFileBytes: 3_000}})
    attach(fileOf('paper.pdf', 9_000), fileOf('photo.png', 100, 'image/png'))
    expect(await screen.findByText('GPT-4o basic reads images only.')).toBeVisible()
    expect(screen.queryByText(together)).toBeNull()
  })
})
