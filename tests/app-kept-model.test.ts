import {expect, test} from 'vitest'
import {dropModel} from '#features/chat/kept-model.ts'
import {draft, openTabs} from './drafts-fixture.ts'

test('a question that goes out drops the model that was chosen for it, under both names, and those that wait beside it', async () => {
  const {open, one, other} = await openTabs({
    'model/id': draft('first'),
    'other/model/id': draft('second'),
    'model/key': draft('early'),
  })
  expect(other.read('model/id')).toEqual(draft('first'))
  dropModel(one, {key: 'key', id: 'id'})
  const later = await open()
  for (const tab of [one, other, later]) {
    expect(tab.read('model/id')).toBeUndefined()
    expect(tab.read('model/key')).toBeUndefined()
  }
})
