import {act, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, test} from 'vitest'
import {ModelPicker} from '#features/chat/model-picker.tsx'
import {chooseModel, groupOfModel, offeredModels} from '#features/chat/model-catalogue.ts'
import {modelLabel} from '#features/chat/model-label.ts'
import type {ServedModel} from '#contract/management.ts'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#features/chat/model-overlay.tsx'
import '#ui/overlays/popover-overlay.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, createChatActors, InChat} from './chat-fixture.tsx'

const served: ServedModel[] = [
  {name: 'gpt-5-all', group: 'chatgpt', provider: 'openai', isFileSupported: true, isImageSupported: true},
  {name: 'gpt-4o', group: 'chatgpt', provider: 'openai', disabled: 'not_configured'},
  {name: 'foo', label: 'Foo 3B', group: 'chatgpt', provider: 'ollama', local: true},
  {name: 'sandbox-chatgpt', label: 'Sandbox (no model)', group: 'chatgpt', provider: 'sandbox'},
  {name: 'grok-4', group: 'grok', provider: 'xai'},
]

describe('offered models', () => {
  test('without a list of the server: the enabled models of the specification', () => {
    expect(offeredModels('chatgpt', []).map(({name}) => name)).toEqual(['gpt-5-all', 'gpt-4o-all'])
    expect(offeredModels('deepseek', []).map(({name}) => name)).toEqual(['deepseek-v3', 'deepseek-r1'])
    expect(offeredModels('grok', []).map(({name}) => name)).toEqual([
      'grok-4',
      'grok-3',
      'grok-3-reasoning',
      'grok-3-deepsearch',
    ])
  })

  test('what nobody serves is disabled with its reason; own models keep their own names', () => {
    const offered = offeredModels('chatgpt', served)
    expect(offered.filter(({disabled}) => disabled === undefined).map(({name, section}) => [name, section])).toEqual([
      ['gpt-5-all', 'group'],
      ['foo', 'local'],
      ['sandbox-chatgpt', 'sandbox'],
    ])
    expect(offered.find(({name}) => name === 'gpt-4o')?.disabled).toBe('not_configured')
    expect(offered.find(({name}) => name === 'o3')?.disabled).toBe('not_served')
    expect(offered.find(({name}) => name === 'foo')?.label).toBe('Foo 3B')
  })

  const choice = (wanted: string | undefined, list = served) => {
    const {offered, chosen} = chooseModel('chatgpt', list, wanted)
    expect(offered).toContain(chosen)
    return [chosen?.name, chosen?.disabled]
  }

  test('the wanted model stays chosen; one that cannot be used with its reason', () => {
    expect(choice('foo')).toEqual(['foo', undefined])
    expect(choice('o3')).toEqual(['o3', 'not_served'])
    expect(choice('gpt-4o')).toEqual(['gpt-4o', 'not_configured'])
    expect(choice('gone')).toEqual(['gone', 'not_served'])
    expect(choice('grok-4')).toEqual(['grok-4', undefined])
  })

  test('where nobody lists what is served, a known conversation keeps its model', () => {
    expect(choice('gpt-4o', [])).toEqual(['gpt-4o', undefined])
    expect(choice('theirs', [])).toEqual(['theirs', undefined])
  })

  test('the first that can be used stands in only where none was wanted', () => {
    expect(choice(undefined)).toEqual(['gpt-5-all', undefined])
    const nobody: ServedModel[] = [{name: 'gpt-4o', group: 'chatgpt', provider: 'openai', disabled: 'not_configured'}]
    expect(choice(undefined, nobody)).toEqual(['gpt-5-all', 'not_served'])
  })

  test('finds the group and the label of a model that wrote', () => {
    expect(groupOfModel('foo', served)).toBe('chatgpt')
    expect(groupOfModel('deepseek-r1', [])).toBe('deepseek')
    expect(groupOfModel('bar', [])).toBe('chatgpt')
    expect(modelLabel('foo', served)).toBe('Foo 3B')
    expect(modelLabel('constructor', [])).toBe('constructor')
  })

  test('the label of a model that wrote is that of no other', () => {
    const twins: ServedModel[] = ['first/llama', 'second/llama', 'theirs'].map((name) => ({
      name,
      label: 'Llama',
      group: name === 'theirs' ? 'grok' : 'chatgpt',
      provider: 'foo',
    }))
    expect(twins.map(({name}) => modelLabel(name, twins))).toEqual([
      'first/llama · Llama',
      'second/llama · Llama',
      'Grok · Llama',
    ])
    expect(modelLabel('gpt-5', twins)).toBe('GPT-5 basic')
  })
})

test('that there is no model is said in the language of the user, at the button and in the menu', async () => {
  const {offered, chosen} = chooseModel('chatgpt', served, 'sandbox-chatgpt')
  renderView(
    <InChat chat={createChat(createChatActors().actors).chat}>
      <ModelPicker models={offered} chosen={chosen} onChoose={() => undefined} />
    </InChat>,
    {locale: 'de'},
  )
  const button = screen.getByRole('button', {name: 'Modell: Sandbox (kein Modell)'})
  await act(() => userEvent.click(button))
  expect(await screen.findByRole('gridcell', {name: /^Sandbox \(kein Modell\)/})).toBeVisible()
})
