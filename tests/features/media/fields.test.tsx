import {act, fireEvent, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, test, vi} from 'vitest'
import type {AnyField, AnyForm} from '#features/media/any-tool.ts'
import {fieldRows} from '#features/media/fields/field-rows.ts'
import {showField} from './show-field.tsx'

describe('texts', () => {
  test('a prompt counts what is written and says when it is too long', () => {
    const {props} = showField({kind: 'prompt', key: 'prompt', label: 'foo', most: 5}, {prompt: 'foobar'})
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Foo', description: '6 / 5'})
    expect(screen.getByText('6 / 5').className).toContain('over')
    fireEvent.change(field, {target: {value: 'bar'}})
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('prompt', 'bar')
  })

  test('a short one counts as its tool says, up to where another field lets it', () => {
    const room = ({content, level}: AnyForm) => ({now: String(content).length * 2, most: level === 'H' ? 10 : 20})
    const field = {kind: 'text', key: 'content', label: 'foo', most: 20, room} as const
    const {view} = showField(field, {content: 'foobar', level: 'H'})
    expect(screen.getByText('12 / 10').className).toContain('over')
    view.unmount()
    showField(field, {content: 'foobar', level: 'L'})
    expect(screen.getByText('12 / 20').className).not.toContain('over')
  })

  test('an empty one is optional unless the tool cannot do without', () => {
    const {view} = showField({kind: 'prompt', key: 'prompt', label: 'foo', most: 5}, {prompt: ''})
    expect(screen.getByText('Optional')).toBeVisible()
    view.unmount()
    showField({kind: 'prompt', key: 'prompt', label: 'foo', most: 5, isRequired: true}, {prompt: ''})
    expect(screen.queryByText('Optional')).toBeNull()
    expect(screen.getByText('0 / 5')).toBeVisible()
  })

  test('an empty prompt says what belongs there', () => {
    showField({kind: 'prompt', key: 'prompt', label: 'foo', most: 5}, {prompt: ''}, {placeholder: 'bar'})
    expect(screen.getByPlaceholderText('bar')).toBe(screen.getByRole('textbox', {name: /^Foo/}))
  })

  test('what is wrong is tied to the field', () => {
    showField({kind: 'prompt', key: 'prompt', label: 'foo', help: 'help', most: 5}, {prompt: ''}, {error: 'Bar'})
    const field = screen.getByRole('textbox')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const described = (field.getAttribute('aria-describedby') ?? '').split(' ')
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['Optional', 'Bar'])
    expect(screen.queryByText('Some help')).toBeNull()
  })

  test('a short text is one line, a long one several', () => {
    const {view} = showField({kind: 'text', key: 'title', label: 'foo', most: 80}, {title: ''})
    expect(screen.getByRole('textbox').tagName).toBe('INPUT')
    view.unmount()
    showField({kind: 'text', key: 'style', label: 'foo', most: 200}, {style: ''})
    expect(screen.getByRole('textbox').tagName).toBe('TEXTAREA')
  })
})

describe('numbers', () => {
  const slider: AnyField = {kind: 'slider', key: 'scale', label: 'foo', least: 0, most: 1, step: 0.1}

  test('a slider shows its value and goes back to its default by Delete', () => {
    const {props} = showField(slider, {scale: 0.5}, {defaults: {scale: 0.2}})
    const control = screen.getByRole<HTMLInputElement>('slider', {name: /^Foo/})
    expect(control.value).toBe('0.5')
    expect(screen.getByText('0.5')).toBeVisible()
    fireEvent.change(control, {target: {value: '0.7'}})
    expect(props.onChange).toHaveBeenLastCalledWith('scale', 0.7)
    fireEvent.keyDown(control, {key: 'Delete'})
    expect(props.onChange).toHaveBeenLastCalledWith('scale', 0.2)
  })

  test('its end follows other fields, and it shows a value before it has one', () => {
    showField(
      {
        ...slider,
        key: 'at',
        most: 3_600,
        step: 1,
        mostOf: (form) => Number(form.length),
        shown: (form) => Number(form.length),
      },
      {length: 151},
    )
    const control = screen.getByRole<HTMLInputElement>('slider')
    expect([control.max, control.value]).toEqual(['151', '151'])
  })

  test('a number may be taken away only where the tool allows it', () => {
    const {props, view} = showField(
      {kind: 'number', key: 'seed', label: 'foo', least: 0, most: 9, isClearable: true},
      {seed: 3},
    )
    fireEvent.change(screen.getByRole('spinbutton'), {target: {value: ''}})
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('seed', undefined)
    view.unmount()
    const fixed = showField({kind: 'number', key: 'seed', label: 'foo', least: 0, most: 9}, {seed: 3})
    fireEvent.change(screen.getByRole('spinbutton'), {target: {value: ''}})
    expect(fixed.props.onChange).not.toHaveBeenCalled()
  })

  test('a switch', () => {
    const {props} = showField({kind: 'switch', key: 'loop', label: 'foo'}, {loop: false})
    fireEvent.click(screen.getByRole('switch', {name: 'Foo'}))
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('loop', true)
  })
})

describe('choices', () => {
  const lengths = [
    {value: 5, label: 'seconds'},
    {value: 10, label: 'seconds'},
  ]

  test('a list keeps the type of its values', async () => {
    const {props} = showField({kind: 'select', key: 'duration', label: 'foo', choices: lengths}, {duration: 5})
    await userEvent.selectOptions(screen.getByRole('combobox', {name: /^Foo/}), '10 s')
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('duration', 10)
  })

  test('a list that may be empty has a first line for it', async () => {
    const {props} = showField(
      {kind: 'select', key: 'effect', label: 'foo', choices: [{value: 'melt', text: 'Melt'}], isClearable: true},
      {effect: 'melt'},
    )
    await userEvent.selectOptions(screen.getByRole('combobox'), 'None')
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('effect', '')
  })

  test('values side by side are radios: arrows move, also from right to left', () => {
    const field: AnyField = {kind: 'segmented', key: 'duration', label: 'foo', choices: lengths}
    const {props} = showField(field, {duration: 5})
    const group = screen.getByRole('radiogroup', {name: 'Foo'})
    expect(
      within(group)
        .getAllByRole('radio')
        .map(({textContent}) => textContent),
    ).toEqual(['5 s', '10 s'])
    expect(within(group).getByRole('radio', {name: '5 s'}).getAttribute('aria-checked')).toBe('true')
    fireEvent.keyDown(group, {key: 'ArrowRight'})
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('duration', 10)
  })

  test('one that is on can be taken away where the tool allows it', () => {
    const field: AnyField = {
      kind: 'segmented',
      key: 'mode',
      label: 'foo',
      isClearable: true,
      choices: [
        {value: 'std', label: 'standard'},
        {value: 'pro', text: 'Pro'},
      ],
    }
    const {props} = showField(field, {mode: 'pro'})
    fireEvent.click(screen.getByRole('radio', {name: 'Pro'}))
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('mode', '')
  })

  test('a ratio is drawn beside its words, never alone', () => {
    showField({kind: 'ratio', key: 'ratio', label: 'foo', choices: [{value: '16:9', text: '16:9'}]}, {ratio: '16:9'})
    const option = screen.getByRole('radio', {name: '16:9'})
    const glyph = option.querySelector<HTMLElement>('[aria-hidden]')
    expect([glyph?.style.inlineSize, glyph?.style.blockSize]).toEqual(['15px', '8px'])
  })

  test('choices may depend on other fields', () => {
    const field: AnyField = {
      kind: 'segmented',
      key: 'duration',
      label: 'foo',
      choices: (form) => (form.model === 'pro' ? lengths : lengths.slice(0, 1)),
    }
    const {view} = showField(field, {duration: 5, model: 'basic'})
    expect(screen.getAllByRole('radio')).toHaveLength(1)
    view.unmount()
    showField(field, {duration: 5, model: 'pro'})
    expect(screen.getAllByRole('radio')).toHaveLength(2)
  })

  test('tiles and tabs', () => {
    const {props, view} = showField(
      {kind: 'tiles', key: 'preset', label: 'foo', isClearable: true, choices: [{value: 'sunset', text: 'Sunset'}]},
      {preset: 'sunset'},
    )
    fireEvent.click(screen.getByRole('button', {name: 'Sunset', pressed: true}))
    expect(props.onChange).toHaveBeenCalledExactlyOnceWith('preset', '')
    view.unmount()
    const tabs = showField(
      {
        kind: 'tabs',
        key: 'mode',
        label: 'foo',
        choices: [
          {value: 'simple', text: 'Simple'},
          {value: 'custom', text: 'Custom'},
        ],
      },
      {mode: 'simple'},
    )
    fireEvent.click(screen.getByRole('radio', {name: 'Custom'}))
    expect(tabs.props.onChange).toHaveBeenCalledExactlyOnceWith('mode', 'custom')
  })

  test('words of groups are loaded when the field is reached, taken and given back', async () => {
    const words = vi.fn(async () => ({weather: ['fog', 'rain'], sea: ['calm']}))
    const groups = [
      {id: 'weather', label: 'help'},
      {id: 'sea', label: 'standard'},
    ]
    const field: AnyField = {kind: 'chips', key: 'elements', label: 'foo', groups, words}
    const {props, view} = showField(field, {elements: []})
    const weather = await screen.findByText('Some help')
    expect(words).not.toHaveBeenCalled()
    fireEvent.click(weather)
    fireEvent.click(await screen.findByRole('button', {name: 'rain'}))
    expect(props.onChange).toHaveBeenLastCalledWith('elements', ['rain'])
    expect(screen.queryByRole('button', {name: 'calm'})).toBeNull()
    view.unmount()
    // what was chosen is counted before a group is opened
    const again = showField(field, {elements: ['fog']})
    expect((await screen.findByText('1', {selector: 'summary *'})).closest('summary')?.textContent).toBe('Some help1')
    fireEvent.click(screen.getByText('Some help'))
    const fog = await screen.findByRole('button', {name: 'fog'})
    // one tab stop, with arrows between the words
    const rain = screen.getByRole('button', {name: 'rain'})
    expect([fog.tabIndex, rain.tabIndex]).toEqual([0, -1])
    act(() => fog.focus())
    fireEvent.keyDown(fog, {key: 'ArrowRight'})
    expect(document.activeElement).toBe(rain)
    expect([fog.tabIndex, rain.tabIndex]).toEqual([-1, 0])
    fireEvent.click(fog)
    expect(again.props.onChange).toHaveBeenLastCalledWith('elements', [])
  })
})

test('what another field did replaces the help', () => {
  showField({kind: 'text', key: 'title', label: 'foo', help: 'help', most: 80}, {title: ''}, {note: 'Changed'})
  expect(screen.getByText('Changed')).toBeVisible()
  expect(screen.queryByText('Some help')).toBeNull()
})

test('two small fields that follow each other share a line', () => {
  const small = (key: string): AnyField => ({kind: 'select', key, label: key, choices: []})
  const wide: AnyField = {kind: 'prompt', key: 'prompt', label: 'prompt', most: 5}
  const rows = fieldRows([small('a'), wide, small('b'), small('c'), small('d')], {})
  expect(rows.map((row) => row.map(({key}) => key))).toEqual([['a'], ['prompt'], ['b', 'c'], ['d']])
})
