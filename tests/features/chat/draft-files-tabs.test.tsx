import {act, fireEvent, screen} from '@testing-library/react'
import {Subject} from 'rxjs'
import {expect, test} from 'vitest'
import type {ElsewhereFact} from '#domain/lost-file.ts'
import {attach} from './attached-files.ts'
import {ask} from './chat-screen-fixture.tsx'
import {pdf, showChat} from './draft-files-fixture.tsx'

test('the other tabs know of each upload until it ends, and where the file is then', async () => {
  const {goTo, sent, knownUploads} = await showChat('a')
  attach(pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf'))
  const [first, second] = [await sent('a.pdf'), await sent('b.pdf')]
  // one waits for its turn
  expect(knownUploads()).toEqual([3, []])
  goTo('b')
  await act(async () => {
    first.finish()
    second.fail()
  })
  const ends = ['https://hub.example/files/a.pdf', undefined]
  expect(knownUploads()).toEqual([1, ends])
  goTo('a')
  fireEvent.click(await screen.findByRole('button', {name: 'Try b.pdf again'}))
  expect(knownUploads()).toEqual([2, ends])
  for (const name of ['b.pdf', 'c.pdf']) fireEvent.click(screen.getByRole('button', {name: `Remove ${name}`}))
  expect(knownUploads()).toEqual([0, [...ends, undefined, undefined]])
})

test('a file that another tab uploads is on its way there, and is the file of this draft in the end', async () => {
  const elsewhere = new Map<string, Subject<ElsewhereFact>>()
  const {answers, goTo, drafts, knownUploads} = await showChat('b', [], (id) => {
    const facts = new Subject<ElsewhereFact>()
    elsewhere.set(id, facts)
    return facts
  })
  const file = {url: 'lost:3/a.pdf', name: 'a.pdf', size: 3, id: 'upload-1'}
  drafts.set('a', {text: 'foo', references: [file]})
  goTo('a')
  expect(await screen.findByText('a.pdf')).toBeVisible()
  // nobody has said yet how it stands
  expect(screen.queryByText(/Uploading|Not uploaded|Ready|waits/)).toBeNull()
  await ask('baz')
  expect(answers).toEqual([])
  const retry = () => screen.queryByRole('button', {name: 'Try a.pdf again'})
  const tell = (fact: ElsewhereFact) => act(async () => elsewhere.get('upload-1')?.next(fact))
  await tell({type: 'elsewhere.running'})
  expect(screen.getByText('Uploading in another tab')).toBeVisible()
  expect([retry(), knownUploads()]).toEqual([null, [0, []]])
  await ask('bar')
  expect(screen.getByRole('alert').textContent).toBe('Sending waits for the upload.')
  await tell({type: 'elsewhere.gone'})
  expect(screen.getByText('Not uploaded. Attach it again.')).toBeVisible()
  expect(retry()).toBeVisible()
  expect(drafts.get('a')).toEqual({text: 'bar', references: [file]})
  await tell({type: 'elsewhere.running'})
  expect(retry()).toBeNull()
  const url = 'https://hub.example/files/a.pdf'
  await tell({type: 'elsewhere.uploaded', url})
  expect(screen.getByText(/· Ready$/)).toBeVisible()
  expect(drafts.get('a')).toEqual({text: 'bar', references: [{url, name: 'a.pdf', size: 3}]})
  expect(elsewhere.get('upload-1')?.observed).toBe(false)
})
