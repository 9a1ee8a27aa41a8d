import {describe, expect, test} from 'vitest'
import type {MediaInput} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {usedValues} from '#domain/use-targets.ts'
import {formRules} from '#machines/generation/generation.rules.ts'
import {all} from './all-tools.ts'

/* "Use in…" and files, from whatever form a tool has at that moment. */

type Form = Record<string, unknown>

/** Numbers from 0 to 1 that are the same with every run. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const formsOfEach = 60

/** Forms that a user can have made: choices, texts, results that are worked on and files in every mixture. */
function formsOf({tool, screen}: (typeof all)[number]): Form[] {
  const random = createRandom(tool.identity.order + tool.identity.id.length)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const defaults = z.parse(tool.form, {})
  const valueOf = (key: string, before: unknown): unknown => {
    const field = screen.fields.find((each) => each.key === key)
    const choices = typeof field?.choices === 'function' ? field.choices(defaults) : field?.choices
    if (choices !== undefined) return pick(choices)?.value
    if (Array.isArray(before)) return pick([[], ['https://files.test/old-1'], ['https://files.test/old-2', 'words']])
    if (typeof before === 'boolean') return random() < 0.5
    if (typeof before !== 'string') return before
    if (key.endsWith('url')) return pick(['', 'https://files.test/old'])
    return key.endsWith('_id') ? pick(['', 'result-1']) : pick(['', 'words'])
  }
  return Array.from({length: formsOfEach}, () => {
    const values = Object.entries(defaults).map(([key, before]) => [key, valueOf(key, before)])
    return tool.settle(z.parse(tool.form, Object.fromEntries(values))).form
  })
}

describe.each(all)('$id', (each) => {
  const {tool, screen} = each
  const forms = formsOf(each)
  const rules = formRules(tool)
  /** A key may have a field in each of several tabs. */
  const isShown = (key: string, form: Form) =>
    screen.fields.some((field) => field.key === key && field.showIf?.(form) !== false)
  const inputs: readonly MediaInput[] = tool.identity.inputs
  const valueOf = ({medium}: MediaInput) => (medium === 'text' ? 'new words' : `https://files.test/new-${medium}`)
  const used = (form: Form, input: MediaInput) => rules.change(form, usedValues(form, input, valueOf(input))).form

  test.each(inputs)('a $medium as $label goes out with the request, whatever the form was', (input) => {
    const ignored = forms.filter((form) => !JSON.stringify(tool.submit(used(form, input))).includes(valueOf(input)))
    expect(ignored.slice(0, 1)).toEqual([])
  })

  test('where a result goes in, its field shows', () => {
    const hidden = inputs.flatMap((input) =>
      forms
        .map((form) => used(form, input))
        .filter((form) => !isShown(input.field, form))
        .map((form) => ({field: input.field, form})),
    )
    expect(hidden.slice(0, 1)).toEqual([])
  })

  // the address of luma's result that is extended goes out with its id, without a field of its own
  const isResult = (key: string, form: Form) => key === 'video_url' && form.video_id !== ''
  const fileFields = screen.fields.filter(({kind}) => kind === 'files')
  test('a file is waited for exactly where its field shows', () => {
    const wrong = fileFields.flatMap(({key}) =>
      forms
        .filter((form) => !isResult(key, form) && rules.takesPart(form, key) !== isShown(key, form))
        .map((form) => ({key, shows: isShown(key, form), form})),
    )
    expect(wrong.slice(0, 1)).toEqual([])
  })

  test('a form has no more files than its tool takes, or says so', () => {
    const lists = fileFields.filter(({key}) => Array.isArray(forms[0]?.[key]))
    const silent = lists.flatMap(({key, most = 0}) => {
      const files = Array.from({length: most + 1}, (_, index) => `https://files.test/${index}`)
      return forms
        .map((form) => rules.change(form, {[key]: files}).form)
        .filter((form) => rules.takesPart(form, key) && rules.faults(form).every(({field}) => field !== key))
        .map((form) => ({key, form}))
    })
    expect(silent.slice(0, 1)).toEqual([])
  })
})
