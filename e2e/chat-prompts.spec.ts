import {answers, ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {chooseModel, ended, lastMessage} from './support/chat-page.ts'
import {pasteLines} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {addPrompt, openSettings} from './support/saved-prompts.ts'

/* A user keeps helps for asking: prompts under a slash, instructions, the key that sends, long texts. */

test(
  'a prompt is made in the settings, found under a slash, and its fields are asked for',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('done')
    const settings = await openSettings(chat)
    for (const [name, text] of [
      ['Translate', 'Put this into {{language}}: {{text}}'],
      ['Explain', 'Explain simply:'],
    ] as const) {
      await addPrompt(settings, name, text)
    }
    await settings.getByRole('group', {name: 'Explain'}).getByRole('button', {name: 'Remove'}).click()
    await settings.getByRole('button', {name: 'Undo'}).click()
    await expect(settings.getByRole('group', {name: 'Explain'})).toBeVisible()
    expect(await axeFaults(chat)).toEqual([])
    await chat.keyboard.press('Escape')
    await expect(settings).toHaveCount(0)

    await composer(chat).fill('/')
    const list = chat.getByRole('listbox', {name: 'Saved prompts'})
    await expect(list.getByRole('option')).toHaveCount(2)
    expect(await axeFaults(chat)).toEqual([])
    await composer(chat).fill('/trsl')
    await expect(list.getByRole('option')).toHaveCount(1)
    await composer(chat).press('Enter')
    const fields = chat.getByRole('dialog', {name: 'Translate'})
    await fields.getByRole('textbox', {name: 'language'}).fill('French')
    await fields.getByRole('textbox', {name: 'text'}).fill('good morning')
    await fields.getByRole('button', {name: 'Insert'}).click()
    await expect(composer(chat)).toHaveValue('Put this into French: good morning')
    await composer(chat).press('Enter')
    await expect(lastMessage(chat)).toContainText('done')
    expect(modelServer.prompts).toEqual(['Put this into French: good morning'])
  },
)

test(
  'the name of a prompt is no question while the prompts load, and they are there at once the next time',
  long,
  async ({chat, modelServer}) => {
    const settings = await openSettings(chat)
    await settings.getByRole('button', {name: 'Add a prompt'}).click()
    await settings.getByRole('textbox', {name: 'Name'}).fill('Translate')
    await chat.keyboard.press('Escape')
    // what is half written is there again
    await openSettings(chat)
    await expect(settings.getByRole('textbox', {name: 'Name'})).toHaveValue('Translate')
    await settings.getByRole('textbox', {name: 'Text'}).fill('Put this into {{language}}')
    await settings.locator('form').getByRole('button', {name: 'Save'}).last().click()
    await expect(settings.getByRole('group', {name: 'Translate'})).toBeVisible()
    await chat.reload()
    const loads = await HeldRoute.on(chat, '**/api/v1/prompts/**', 'GET')
    await composer(chat).pressSequentially('/trans')
    await composer(chat).press('Enter')
    await expect(chat.locator('form').getByText('Loading')).toBeVisible()
    await composer(chat).press('Enter')
    await expect(composer(chat)).toHaveValue('/trans')
    await loads.let(goOn)
    await expect(chat.getByRole('option', {name: 'Translate'})).toBeVisible()
    await composer(chat).press('Enter')
    const fields = chat.getByRole('dialog', {name: 'Translate'})
    await fields.getByRole('textbox', {name: 'language'}).press('Escape')
    await expect(fields).toHaveCount(0)
    loads.hold()
    await composer(chat).fill('')
    await composer(chat).fill('/t')
    await composer(chat).press('Enter')
    await fields.getByRole('textbox', {name: 'language'}).fill('French')
    await fields.getByRole('textbox', {name: 'language'}).press('Control+Enter')
    await expect(composer(chat)).toHaveValue('Put this into French')
    expect(modelServer.prompts).toEqual([])
  },
)

test(
  'keys go through many prompts: the reached one is in view, and the field keeps the focus',
  long,
  async ({chat}) => {
    test.slow()
    const settings = await openSettings(chat)
    const letters = [...'abcdefghij']
    for (const letter of letters) await addPrompt(settings, `Harbour ${letter}`, `at ${letter}`)
    await chat.keyboard.press('Escape')
    await expect(settings).toHaveCount(0)
    await composer(chat).fill('/harbour')
    const options = chat.getByRole('option')
    await expect(options).toHaveCount(letters.length)
    const expectReached = async (index: number) => {
      await expect(options.nth(index)).toHaveAttribute('aria-selected', 'true')
      await expect(options.nth(index)).toBeInViewport({ratio: 1})
    }
    await expectReached(0)
    await composer(chat).press('ArrowUp')
    await expectReached(9)
    await composer(chat).press('PageUp')
    await expectReached(4)
    await options.nth(5).hover()
    await expectReached(5)
    await chat.mouse.down()
    await expect(composer(chat)).toBeFocused()
    await chat.mouse.up()
    await expect(composer(chat)).toHaveValue(/^at [a-j]$/)
  },
)

test('the menu of prompts and the fields of one look well', long, async ({chat}) => {
  test.slow()
  const settings = await openSettings(chat)
  for (const [name, text] of [
    ['Translate', 'Put this into {{language}}: {{text}}'],
    ['لخّص', 'لخّص هذا في ثلاث جمل، وبلغة بسيطة يفهمها كلّ قارئ، ولا تترك شيئًا مهمًّا: {{text}}'],
  ] as const) {
    await addPrompt(settings, name, text)
  }
  await chat.keyboard.press('Escape')
  await expect(settings).toHaveCount(0)
  const openMenu = async () => {
    // the field of the opened conversation may take the place of the first one between what selects the draft and the
    // text
    await expect
      .poll(async () => {
        await composer(chat).fill('/')
        return composer(chat).inputValue()
      })
      .toBe('/')
    await expect(chat.getByRole('option')).toHaveCount(2)
  }
  await test.step('the menu', () => expectGoodLooks(chat, openMenu))
  await test.step('the fields', () =>
    expectGoodLooks(chat, async () => {
      await openMenu()
      await chat.getByRole('option', {name: 'Translate'}).click()
      await expect(chat.getByRole('dialog').getByRole('textbox')).toHaveCount(2)
    }))
})

test('a saved prompt with a long name and text widens no dialog of a phone', long, async ({chat}) => {
  const settings = await openSettings(chat)
  await settings.getByRole('button', {name: 'Add a prompt'}).click()
  await settings.getByRole('textbox', {name: 'Name'}).fill('Review of a pull request with a long name')
  await settings
    .getByRole('textbox', {name: 'Text'})
    .fill('Say what is wrong, what is unclear and what to leave out: {{diff}}')
  await settings.locator('form').getByRole('button', {name: 'Save'}).last().click()
  await chat.setViewportSize({width: 390, height: 844})
  const prompt = settings.getByRole('group', {name: /^Review/})
  await expect(prompt.getByRole('button', {name: 'Remove'})).toBeInViewport({ratio: 1})
  await expect(settings.getByRole('button', {name: 'Add a prompt'})).toBeInViewport({ratio: 1})
})

test('every answer follows the instructions of the user', long, async ({chat, modelServer}) => {
  modelServer.answer('brief')
  const settings = await openSettings(chat)
  await settings.getByRole('textbox', {name: 'Instructions for the assistant'}).fill('Be brief.')
  await settings.getByRole('button', {name: 'Save'}).click()
  await expect(settings.getByRole('button', {name: 'Save'})).toBeDisabled()
  await chat.keyboard.press('Escape')
  await ask(chat, 'Why?')
  await expect(lastMessage(chat)).toContainText('brief')
  await ended(chat)
  expect(modelServer.calls.at(0)?.messages[0]).toEqual({role: 'system', content: 'Be brief.'})
})

test(
  'by setting Enter breaks the line and Ctrl+Enter sends, also after a reload',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('sent')
    const settings = await openSettings(chat)
    await settings.getByRole('radio', {name: 'Ctrl + Enter'}).click()
    await chat.keyboard.press('Escape')
    await chat.reload()
    await composer(chat).fill('one')
    await composer(chat).press('Enter')
    await composer(chat).pressSequentially('two')
    await expect(composer(chat)).toHaveValue('one\ntwo')
    await expect(chat.getByText('to send')).toBeVisible()
    await composer(chat).press('Control+Enter')
    await expect(lastMessage(chat)).toContainText('sent')
    expect(modelServer.prompts).toEqual(['one\ntwo'])
  },
)

test('a long pasted text is sent as a file', long, async ({chat, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer('read')
  await composer(chat).focus()
  await pasteLines(chat, 120)
  await expect(chat.getByText('pasted-text.txt')).toBeVisible()
  await expect(chat.getByText(/Ready/)).toBeVisible()
  await ask(chat, 'Count the lines')
  await expect(lastMessage(chat)).toContainText('read')
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('line 119')
})

test('a long pasted text goes into the question of a model that takes no files, also after a reload', async ({
  chat,
  context,
  modelServer,
}, journey) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer('read')
  await chooseModel(chat, /^GPT-4o basic/)
  await composer(chat).fill('Count the lines')
  const lines = await pasteLines(chat, 120)
  await expect(chat.getByText('pasted-text.txt')).toBeVisible()
  await expect(chat.getByText(/Ready/)).toBeVisible()
  await expect(composer(chat)).toHaveValue('Count the lines')
  await chat.screenshot({path: journey.outputPath('pasted-text.png')})
  await chat.reload()
  await expect(chat.getByText('pasted-text.txt')).toBeVisible()
  await expect(chat.getByRole('button', {name: 'Paste as text'})).toBeVisible()
  await expect(composer(chat)).toHaveValue('Count the lines')
  await chooseModel(chat, /^GPT-4o basic/)
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('read')
  expect(modelServer.prompts).toEqual([`Count the lines\n\n\`\`\`\n${lines}\n\`\`\``])
  await expect(answers(chat).first().getByRole('button', {name: 'Show all'})).toBeVisible()
  await chat.screenshot({path: journey.outputPath('quoted-text.png')})
})
