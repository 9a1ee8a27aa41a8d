import type {Locator, Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, offeredModel} from './support/chat-page.ts'
import {anyDesktop} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {expectGoodInBothThemes, startOf} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/* Choosing a model: searched, by keys, with what each takes and costs, favourites first; text and files stay. */

test.use(anyDesktop)

type Picker = {
  word: (id: string) => string
  button: Locator
  field: Locator
  /** The names of the models in the list. */
  names: Locator
  /** A model with the message that describes it. */
  model: (label: string, id: string) => Locator
  star: (label: string) => Locator
}

const pickerOf = async (page: Page): Promise<Picker> => {
  const word = await wordsOf(page)
  return {
    word,
    button: page.getByRole('banner').getByRole('button', {name: startOf(word('chat.chooseModel'))}),
    field: page.getByRole('combobox', {name: word('chat.modelSearch')}),
    names: page.getByRole('row').locator('[role=gridcell]:first-child bdi:first-child'),
    model: (label, id) => offeredModel(page, startOf(`${label} ${word(id)}`)),
    star: (label) =>
      page.getByRole('button', {name: word('chat.modelFavourite').replace('{model}', label), exact: true}),
  }
}

test('a model is found, marked and chosen by keys; favourites come first, also after a reload', async ({chat}) => {
  const {word, button, field, names, model, star} = await pickerOf(chat)
  await button.press('Enter')
  await expect(field).toBeFocused()
  await expect(model('GPT-5', 'chat.modelGpt5All')).toContainText(word('chat.takesFiles'))
  await expect(model('GPT-5', 'chat.modelGpt5All')).toContainText(word('chat.modelFree'))
  await expect(offeredModel(chat, /^GPT-4o basic/)).toContainText(word('chat.takesImages'))
  await expectGoodInBothThemes(chat, 'models')
  // by the words of the user and by English ones
  const [described = ''] = word('chat.modelGpt4oAll').split(/[,،]/)
  for (const query of ['all-round', described]) {
    await field.fill(query)
    await expect(names).toHaveText(['GPT-4o'])
  }
  await field.press('Shift+Enter')
  await expect(star('GPT-4o')).toHaveAttribute('aria-pressed', 'true')
  await field.fill('zzzz')
  await expect(chat.getByText(word('chat.modelNone'))).toBeVisible()
  await field.fill('')
  await field.press('Home')
  await expect(names.first()).toHaveText('GPT-4o')
  await field.press('Enter')
  await expect(button).toHaveAccessibleName(word('chat.chooseModel').replace('{model}', 'GPT-4o'))
  await expect(button).toBeFocused()

  await chat.reload()
  await button.click()
  await expect(names.first()).toHaveText('GPT-4o')
  await expect(model('GPT-4o', 'chat.modelGpt4oAll')).toHaveAttribute('aria-current', 'true')
  await chat.keyboard.press('Escape')
  await expect(chat.getByRole('grid')).toHaveCount(0)
  await expect(button).toBeFocused()
})

test(
  'another model drops neither text nor files: it says which cannot go, and who takes them',
  long,
  async ({chat, modelServer}) => {
    const {word, button, model} = await pickerOf(chat)
    modelServer.answer('A heron.')
    await ask(chat, 'What is it?')
    await ended(chat)
    await chat
      .locator('main input[type=file]')
      .setInputFiles([{name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words')}])
    const file = chat.locator('main form').getByRole('listitem').filter({hasText: 'notes.txt'})
    await expect(file).toContainText(word('chat.ready'))
    await composer(chat).fill('Read it')
    await button.click()
    await offeredModel(chat, /^GPT-4o basic/).click()
    await expect(composer(chat)).toHaveValue('Read it')
    await expect(file).toBeVisible()
    await expect(chat.getByText(word('chat.imagesOnly').replace('{model}', 'GPT-4o basic'))).toBeVisible()
    const others = chat.getByRole('group', {name: word('chat.modelForFiles')})
    await expect(others.getByRole('button').first()).toHaveText(word('chat.useModel').replace('{model}', 'GPT-5'))
    // a long question scrolls below them
    const [offer, field] = await Promise.all([
      others.getByRole('button').last().boundingBox(),
      composer(chat).boundingBox(),
    ])
    expect((field?.y ?? 0) - (offer?.y ?? 0) - (offer?.height ?? 0)).toBeGreaterThanOrEqual(6)
    await expectGoodInBothThemes(chat, 'a file that the model cannot read')
    await button.click()
    await model('GPT-5', 'chat.modelGpt5All').click()
    await expect(others).toHaveCount(0)
    await expect(file).toContainText(word('chat.ready'))
    modelServer.answer('It says **words**.')
    await composer(chat).press('Enter')
    await expect(lastMessage(chat)).toContainText('It says words.')
    await ended(chat)
    expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('words')
  },
)
