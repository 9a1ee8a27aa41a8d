import {act, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test} from 'vitest'
import {waitForField} from '#browser/typed-ahead.ts'
import type {ServedModel} from '#contract/management.ts'
import {modelGroups} from '#contract/models.ts'
import {priceOf} from '#domain/model-price.ts'
import {chooseModel, offeredModels} from '#features/chat/model-catalogue.ts'
import {ModelList} from '#features/chat/model-list.tsx'
import {sectionsOf} from '#features/chat/model-sections.ts'
import {renderView} from '#tests/ui/render.tsx'

const price = {prompt: '0.01', completion: '0.035', most_tokens: 1000}
const served: ServedModel[] = [
  {name: 'gpt-5-all', group: 'chatgpt', provider: 'a', isFileSupported: true, isImageSupported: true, price},
  {name: 'gpt-4o-all', group: 'chatgpt', provider: 'a', isImageSupported: true},
  {name: 'o3', group: 'chatgpt', provider: 'a', price: {prompt: 'much', completion: '0', most_tokens: 1000}},
  {
    name: 'qwen',
    label: 'Qwen',
    group: 'chatgpt',
    provider: 'ollama',
    local: true,
    price: {prompt: '0', completion: '0'},
  },
  {name: 'gpt-4o', group: 'chatgpt', provider: 'none', disabled: 'not_configured'},
]

const searchWords = (id: string) =>
  ({
    'chat.modelO3': 'Careful reasoning',
    'chat.localModels': 'On this machine',
    'words.chatgpt': 'شات جي بي تي',
    'words.grok': 'جروك',
  })[id]

function show(locale: 'en' | 'de' = 'en') {
  const chosen: string[] = []
  const marks: string[] = []
  const {offered, chosen: model} = chooseModel('chatgpt', served, 'gpt-5-all')
  function View() {
    const [favourites, setFavourites] = useState<string[]>([])
    const mark = (name: string, isOn: boolean) => {
      marks.push(`${isOn ? '+' : '-'}${name}`)
      setFavourites((known) => (isOn ? [...known, name] : known.filter((other) => other !== name)))
    }
    const choose = ({name}: {name: string}) => void chosen.push(name)
    return (
      <ModelList
        models={offered}
        chosen={model}
        onChoose={choose}
        favourites={favourites}
        onFavourite={mark}
        searchWords={searchWords}
        priceOf={(name) => priceOf({models: served}, name)}
      />
    )
  }
  renderView(<View />, {locale})
  const field = screen.getByRole('combobox')
  const cells = () =>
    screen.getAllByRole('row').map((row) => within(row).getAllByRole('gridcell')[0]?.textContent ?? '')
  const current = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''
  return {user: userEvent.setup(), field, cells, current, chosen, marks}
}

test('the name of a group in the letters of a language finds its models', async () => {
  const {user, field, cells} = show()
  await user.type(field, 'شات جي')
  expect(cells().join()).toContain('GPT-5')
  await user.clear(field)
  await user.type(field, 'جروك')
  expect(screen.queryAllByRole('row')).toEqual([])
})

const usable = (cells: string[]) => cells.slice(0, 4).map((text) => /^(GPT-5|GPT-4o|o3|Qwen)/.exec(text)?.[0])

test('below models of other groups, those that cannot be chosen are said to be of their own group', () => {
  const all = [...served, {name: 'grok-4', group: 'grok', provider: 'b'} satisfies ServedModel]
  const words = (id: string, values?: object) => [id, ...Object.values(values ?? {})].join(' ')
  const sections = (others?: ReturnType<typeof offeredModels>) =>
    sectionsOf(offeredModels('chatgpt', all), [], words, false, others).map(({label, isApart}) => [label, isApart])
  expect(sections().at(-1)).toEqual(['chat.unavailableModels', false])
  expect(sections(offeredModels('grok', all).slice(0, 1)).slice(-2)).toEqual([
    ['Grok', undefined],
    ['chat.modelUnavailableOf ChatGPT', true],
  ])
})

test('says what each model takes and costs, and where that is unknown', () => {
  const {cells} = show()
  const [gpt5, gpt4o, o3, qwen] = cells()
  expect(gpt5).toMatch(
    /Reads files.*Reads images.*0\.01 \/ 0\.035.*0\.01 credits in the question, 0\.035 in the answer/,
  )
  expect(gpt4o).toMatch(/Reads images.*Price unknown/)
  expect(gpt4o).not.toMatch(/Reads files/)
  // what is no amount is no price, least of all a free one
  expect(o3).toMatch(/Text only.*Reasons first.*Price unknown/)
  expect(qwen).toMatch(/Text only.*Free/)
  const unavailable = screen.getByRole('gridcell', {name: /^GPT-4o basic/})
  expect(unavailable.getAttribute('aria-disabled')).toBe('true')
  expect(unavailable.textContent).toMatch(/Needs a provider key/)
  expect(unavailable.textContent).not.toMatch(/Price|Free/)
})

test('is searched by names and descriptions, in the language of the page and in English', async () => {
  const {user, field, cells} = show('de')
  const found = async (query: string) => {
    await user.clear(field)
    await user.type(field, query)
    return screen.queryAllByRole('row').length === 0 ? [] : usable(cells())
  }
  expect(await found('qwen')).toEqual(['Qwen'])
  expect(await found('gpt-4o-ALL')).toEqual(['GPT-4o'])
  expect(await found('careful')).toEqual(['o3'])
  expect(await found('machine')).toEqual(['Qwen'])
  expect(await found('bilder')).toContain('GPT-4o')
  expect(await found('nothing of the kind')).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('Kein Modell passt.')
})

test('keys move, choose and mark; the focus stays in the field', async () => {
  const {user, field, cells, current, chosen, marks} = show()
  await user.click(field)
  expect(current()).toMatch(/^GPT-5/)
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(current()).toMatch(/^o3/)
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  expect(marks).toEqual(['+o3'])
  expect(usable(cells())).toEqual(['o3', 'GPT-5', 'GPT-4o', 'Qwen'])
  // it moved to the favourites, and is still the current one
  expect(current()).toMatch(/^o3/)
  await user.keyboard('{End}')
  expect(current()).not.toMatch(/^o3/)
  await user.keyboard('{Enter}')
  expect(chosen).toEqual([])
  await user.keyboard('{Home}{ArrowUp}{ArrowDown}{Enter}')
  expect(chosen).toEqual(['o3'])
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  expect(marks).toEqual(['+o3', '-o3'])
  expect(document.activeElement).toBe(field)
})

test('a star marks a favourite, and says that it is one', async () => {
  const {user, cells, chosen} = show()
  const star = () => screen.getByRole('button', {name: 'Favourite: Qwen'})
  await user.click(star())
  expect([star().getAttribute('aria-pressed'), usable(cells())[0], chosen]).toEqual(['true', 'Qwen', []])
  expect(screen.getByRole('rowgroup', {name: 'Favourites'}).textContent).toContain('Qwen')
})

test('models of several groups are added and taken out by keys; a full list says so, and all can be taken out', async () => {
  const models = modelGroups.flatMap((group) =>
    offeredModels(group, [...served, {name: 'grok-4', group: 'grok', provider: 'b'}]),
  )
  function View() {
    const [chosen, setChosen] = useState(['gpt-5-all'])
    const toggle = ({name}: {name: string}) =>
      setChosen((known) => (known.includes(name) ? known.filter((other) => other !== name) : [...known, name]))
    return (
      <ModelList
        models={models}
        chosen={undefined}
        several={{chosen, full: chosen.length === 2 ? 'Take one out.' : undefined, status: ''}}
        onChoose={toggle}
        favourites={['o3']}
        onFavourite={() => undefined}
        searchWords={() => undefined}
        priceOf={() => undefined}
      />
    )
  }
  renderView(<View />)
  const user = userEvent.setup()
  const field = screen.getByRole('combobox')
  const sections = () => screen.getAllByRole('rowgroup').map((section) => section.getAttribute('aria-label'))
  const cell = (name: RegExp) => screen.getByRole('gridcell', {name})
  expect(sections()).toEqual(['Favourites', 'ChatGPT', 'Grok', 'Not available here'])
  expect(screen.getByRole('grid').getAttribute('aria-multiselectable')).toBe('true')
  expect(cell(/^GPT-5 ?Best/).getAttribute('aria-selected')).toBe('true')

  // by the name of its group
  await user.type(field, 'grok')
  await user.keyboard('{Enter}')
  expect(cell(/^Grok 4/).getAttribute('aria-selected')).toBe('true')
  await user.clear(field)
  expect(cell(/^o3/).textContent).toContain('Take one out.')
  await user.click(cell(/^o3/))
  expect(cell(/^o3/).getAttribute('aria-selected')).toBe('false')
  expect(cell(/^GPT-4o basic/).textContent).toContain('Needs a provider key')

  await user.click(cell(/^GPT-5 ?Best/))
  expect(cell(/^GPT-5 ?Best/).getAttribute('aria-selected')).toBe('false')
  await user.click(cell(/^o3/))
  expect(cell(/^o3/).getAttribute('aria-selected')).toBe('true')
})

test('what was typed before the field was there is searched for', async () => {
  waitForField()
  for (const key of 'o3') window.dispatchEvent(new KeyboardEvent('keydown', {key}))
  const {user, field, cells} = show()
  await user.click(field)
  expect(field).toHaveProperty('value', '')
  waitForField()
  for (const key of 'o3') window.dispatchEvent(new KeyboardEvent('keydown', {key}))
  act(() => field.blur())
  act(() => field.focus())
  expect(field).toHaveProperty('value', 'o3')
  expect(cells()[0]).toMatch(/^o3/)
})
