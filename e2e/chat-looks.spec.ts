import {fileURLToPath} from 'node:url'
import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, ended, lastMessage, opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {startOf} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * The controls around an answer, in both themes, at both widths and in both directions of writing, as far as no other
 * journey shows them.
 */

const dialog = (page: Page) => page.getByRole('dialog')
/** Runs the command that these English words find: they find it in every language. */
const runCommand = async (page: Page, words: string) => {
  await opened(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill(words)
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
}

test('the questions that wait: in order, on hold, edited, removed', long, async ({chat, modelServer}) => {
  const item = (question: string) => chat.getByRole('group', {name: question, exact: true})
  /** Finds the button by its position: it has another name in each language. */
  const button = (question: string, position: number) => item(question).getByRole('button').nth(position)
  const edit = -2
  const remove = -1
  // a bound against a hang, not a measurement: the page is opened for each look, three times
  test.setTimeout(360_000)
  modelServer.hold(1)
  await ask(chat, 'First')
  await expect(lastMessage(chat)).toContainText('You')
  await ask(chat, 'A second question that is long enough to need more than one line on a narrow screen, as they do')
  // one for each look, as what is removed stays so
  const removable = ['four', 'five', 'six', 'seven', 'eight']
  for (const question of ['three', ...removable]) await ask(chat, question)
  await test.step('in order', () => expectGoodLooks(chat, () => item('four').waitFor()))
  await test.step('edited', () =>
    expectGoodLooks(chat, async () => {
      await button('three', edit).click()
      await expect(item('three')).toHaveCount(0)
    }))
  await composer(chat).press('Escape')
  await ended(chat)
  await test.step('on hold, one removed', () =>
    expectGoodLooks(chat, async () => {
      const question = removable.pop() ?? ''
      await button(question, remove).click()
      await expect(item(question)).toHaveCount(0)
      await expect(item('three').getByRole('button')).toHaveCount(5)
    }))
})

test('an answer with a thought, code, a table and an image of another site', long, async ({chat, modelServer}) => {
  modelServer.answer(
    [
      '<think>The sea is salt.</think>Words, `code` and a [link](https://example.test/).',
      '```ts\nconst harbour = "a line that is rather long, so that it needs to be scrolled or wrapped on a phone"\n```',
      `| ${'a wide column | '.repeat(8)}\n|${'---|'.repeat(8)}\n| ${'a cell | '.repeat(8)}`,
      '![a ship](https://tracker.example/ship.png)',
      '> A quote.\n\n1. one\n2. two',
      'A harbour[^1], a ship[^2][^3].\n\n[^1]: Of the **old** town.\n[^2]: https://example.test/\n[^3]: سفينة قديمة',
    ].join('\n\n'),
  )
  await ask(chat, 'Everything?')
  await ended(chat)
  await expectGoodLooks(chat, async () => {
    await expect(lastMessage(chat).getByRole('table')).toBeVisible()
    await lastMessage(chat).locator('summary').click()
    await expect(lastMessage(chat)).toContainText('The sea is salt.')
  })
})

test('found words, and the list of questions', long, async ({chat, installation, signedIn}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(40))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  const choose = async (message: string) => {
    const word = await wordsOf(chat)
    await chat.getByRole('button', {name: word('chat.threadMenu'), exact: true}).click()
    await chat.getByRole('menuitem', {name: word(message)}).click()
    await expect(chat.getByRole('menu')).toHaveCount(0)
    return word(message)
  }
  await test.step('found words', () =>
    expectGoodLooks(chat, async () => {
      const bar = chat.getByRole('search', {name: await choose('chat.find')})
      await bar.getByRole('textbox').fill('line 1 of 1')
      // 1, 11, 13, 15, 17 and 19
      await expect(bar.getByRole('status')).toContainText(/[6٦]/)
    }))
  await test.step('questions', () =>
    expectGoodLooks(chat, async () => {
      const name = await choose('chat.outline')
      await expect(chat.getByRole('navigation', {name}).getByRole('listitem')).toHaveCount(20)
    }))
})

test('the list of conversations: several chosen, and their labels', long, async ({chat, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Kites', texts: ['foo', 'bar'], labels: ['work', 'a label that is rather long']},
    {title: 'Boats and their sails, with a title that is longer than the list is wide', texts: ['foo', 'bar']},
  ])
  const select = async () => {
    const word = await wordsOf(chat)
    if ((chat.viewportSize()?.width ?? 0) < 768)
      await chat.getByRole('button', {name: word('index.panelOpen'), exact: true}).click()
    await chat.getByRole('link', {name: startOf('Kites')}).press(' ')
    const bar = chat.getByRole('toolbar')
    await expect(bar.filter({hasText: /[1١]/})).toBeVisible()
    return {bar, word}
  }
  await test.step('chosen', () => expectGoodLooks(chat, async () => void (await select())))
  await test.step('labels', () =>
    expectGoodLooks(chat, async () => {
      const {bar, word} = await select()
      await bar.getByRole('button', {name: word('chat.labelEdit'), exact: true}).click()
      await expect(chat.getByRole('dialog', {name: word('chat.labelTitle')}).getByRole('checkbox')).toHaveCount(2)
    }))
})

test('the models that are offered', long, async ({chat}) => {
  await expectGoodLooks(chat, async () => {
    const word = await wordsOf(chat)
    await chat.getByRole('button', {name: startOf(word('chat.chooseModel'))}).click()
    await expect(chat.getByRole('gridcell').first()).toBeVisible()
  })
})

test('the dialog of an import, before it is sent', long, async ({chat}) => {
  await expectGoodLooks(chat, async () => {
    await runCommand(chat, 'import conversations')
    await dialog(chat)
      .locator('input[type=file]')
      .setInputFiles(fileURLToPath(new URL('../tests/fixtures/imports/chatgpt.json', import.meta.url)))
    await expect(dialog(chat).getByRole('status')).not.toBeEmpty()
    await expect(dialog(chat).getByRole('listitem').first()).toBeVisible()
  })
})

test('each tab of the settings', long, async ({chat}) => {
  await expectGoodLooks(chat, async () => {
    await runCommand(chat, 'settings general')
    const tabs = dialog(chat).getByRole('tab')
    await expect(tabs).toHaveCount(6)
    for (const tab of await tabs.all()) {
      await tab.click()
      await expect(tab).toHaveAttribute('aria-selected', 'true')
      expect.soft(await axeFaults(chat), (await tab.textContent()) ?? '').toEqual([])
    }
  })
})

test('the dialog that shares, with a link and the question before it ends', long, async ({chat, modelServer}) => {
  modelServer.answer('An owl.')
  await ask(chat, 'What is it?')
  await ended(chat)
  const open = async () => {
    const word = await wordsOf(chat)
    await lastMessage(chat).waitFor()
    const head = chat.getByRole('banner')
    // a phone has it in the menu of the conversation
    const isPhone = (chat.viewportSize()?.width ?? 0) < 768
    if (isPhone) await head.getByRole('button', {name: word('chat.threadMenu'), exact: true}).click()
    const target = isPhone
      ? chat.getByRole('menuitem', {name: word('chat.share')})
      : head.getByRole('button', {name: word('chat.share'), exact: true})
    await target.click()
    return word
  }
  await open()
  await dialog(chat).getByRole('button', {name: 'Make link'}).click()
  await expect(dialog(chat).getByRole('link')).toHaveCount(1)
  await test.step('a link', () =>
    expectGoodLooks(chat, async () => {
      await open()
      await expect(dialog(chat).getByRole('link')).toHaveCount(1)
    }))
  await test.step('the question', () =>
    expectGoodLooks(chat, async () => {
      const word = await open()
      await dialog(chat)
        .getByRole('button', {name: word('share.revoke')})
        .click()
      await expect(dialog(chat).getByRole('alert')).toBeVisible()
    }))
})

test('what happened, of an answer and of a refusal', long, async ({chat, modelServer}) => {
  const open = async () => {
    const word = await wordsOf(chat)
    await lastMessage(chat).hover()
    await lastMessage(chat)
      .getByRole('button', {name: word('chat.messageActions'), exact: true})
      .click()
    await chat.getByRole('menuitem', {name: word('chat.whatHappened')}).click()
    await expect(dialog(chat).getByText('trace_id')).toBeVisible()
  }
  modelServer.answer('An owl.')
  await ask(chat, 'What is it?')
  await ended(chat)
  await test.step('an answer', () => expectGoodLooks(chat, open))
  await chat.keyboard.press('Escape')
  modelServer.fail(429, {error: {message: 'slow down'}})
  await ask(chat, 'And that?')
  await expect(answers(chat)).toHaveCount(4)
  await ended(chat)
  await test.step('a refusal', () => expectGoodLooks(chat, open))
})

test('what is current has a frame where colours are forced', long, async ({chat}) => {
  const current = chat.locator('a[aria-current]').filter({visible: true})
  await chat.emulateMedia({forcedColors: 'active'})
  await ask(chat, 'foo')
  await ended(chat)
  // the page, the group and the conversation
  await expect(current).toHaveCount(3)
  for (const link of await current.all()) await expect(link).toHaveCSS('outline-style', 'solid')
  await expect(chat.getByRole('article').first().getByText('foo', {exact: true}).locator('..')).toHaveCSS(
    'border-top-style',
    'solid',
  )
  await chat.keyboard.press('ControlOrMeta+k')
  await expect(chat.getByRole('option', {selected: true})).toHaveCSS('outline-style', 'solid')
  await chat.keyboard.press('Escape')
  await chat.getByRole('button', {name: /^Model: /}).click()
  // of the models only the current row and the chosen model have one
  await expect(chat.locator('[role=gridcell][aria-current=true]')).toHaveCSS('outline-style', 'solid')
  const others = chat.locator('[role=gridcell][aria-current=false]')
  expect(await others.count()).toBeGreaterThan(2)
  for (const model of await others.all()) await expect(model).toHaveCSS('outline-style', 'none')
})
