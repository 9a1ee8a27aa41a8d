import {expect} from './fixtures.ts'
import {ask, composer, ended, lastMessage} from './support/chat-page.ts'
import {answerOf, columnsOf, headOf, openPage, test} from './support/compare-page.ts'
import {arabicPhone, askByTouch, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'
import {press} from './support/press.ts'
import {wordsOf} from './support/words-of.ts'
import {longBut} from './support/full-run.ts'

/* A comparison in which one answer failed goes on from the other one, and from the one that failed. */

const [train, harbour] = ['Take the slow train along the coast', 'A harbour of marble and salt']

for (const {where, device, isPhone} of [
  {where: 'on a desktop', device: {}, isPhone: false},
  {where: 'on a phone in Arabic', device: arabicPhone, isPhone: true},
]) {
  test.describe(where, () => {
    test.use(device)

    test(
      'one failed: on from the other one, back, and on from the one that failed',
      longBut(isPhone),
      async ({context, groups}) => {
        const page = await openPage(context, groups, '/compare')
        const word = await wordsOf(page)
        const said = (model: string, id: string) =>
          word('compare.said').replace('{model}', model).replace('{state}', word(id))
        groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
        await composer(page).fill('Foo')
        await press(page.getByRole('main').getByRole('button', {name: word('chat.send'), exact: true}))
        const {show, gpt, deep} = columnsOf(page, isPhone)
        const goOnWith = async (model: string, index: number) => {
          await show(index)
          await press(page.getByRole('link', {name: said(model, 'compare.continue')}))
        }
        const askNext = (question: string) => (isPhone ? askByTouch(page, question) : ask(page, question))
        await expect(headOf(gpt)).toContainText(word('compare.failed'))
        await show(1)
        await expect(headOf(deep)).toContainText(word('chat.answerReady'))
        await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)

        await goOnWith('DeepSeek V3', 1)
        await expect(page).toHaveURL(/\/deepseek\/conversations\/[\w-]+$/)
        await expect(page.getByRole('log').getByRole('article')).toHaveCount(2)
        await expect(lastMessage(page)).toContainText(train)
        await askNext('And back?')
        await expect(page.getByRole('log').getByRole('article')).toHaveCount(4)
        await expect(lastMessage(page)).toContainText(train)
        await ended(page)
        expect(groups.deepseek.calls.at(-1)?.messages.map(({content}) => content)).toEqual(['Foo', train, 'And back?'])
        // the one that failed is asked nothing by it
        expect(groups.openai.prompts).toEqual(['Foo'])

        await page.goBack()
        await show(0)
        await expect(headOf(gpt)).toContainText(word('compare.failed'))
        await goOnWith('GPT-5', 0)
        await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
        // as its column had it: the question, why there is no answer, and the way to one
        const thread = page.getByRole('log')
        await expect(thread.getByRole('article').first()).toContainText('Foo')
        await expect(thread.getByRole('alert')).toContainText('no such thing')
        await expect(composer(page)).toHaveValue('')
        expect(groups.openai.prompts).toEqual(['Foo'])
        if (isPhone) await expectForFingers(page, thread)
        await expectGoodInBothThemes(page, 'one that failed, alone')
        groups.openai.answer(harbour)
        await press(thread.getByRole('button', {name: word('common.retry'), exact: true}))
        await expect(lastMessage(page)).toContainText(harbour)
        await ended(page)
        await askNext('On foot?')
        await expect(thread.getByRole('article')).toHaveCount(4)
        await ended(page)
        expect(groups.openai.calls.at(-1)?.messages.map(({content}) => content)).toEqual(['Foo', harbour, 'On foot?'])

        // the comparison has what was said to each alone
        await page.goBack()
        await show(0)
        await expect(gpt.getByRole('article')).toHaveCount(4)
        await expect(answerOf(gpt)).toContainText(harbour)
        await expect(headOf(gpt)).toContainText(word('chat.answerReady'))
        await show(1)
        await expect(deep.getByRole('article')).toHaveCount(4)
        await expect(answerOf(deep)).toContainText(train)
      },
    )

    test(
      'a new question instead of Retry goes to the model of the one that failed',
      longBut(isPhone),
      async ({context, groups}) => {
        const page = await openPage(context, groups, '/compare')
        const word = await wordsOf(page)
        groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
        await composer(page).fill('Foo')
        await press(page.getByRole('main').getByRole('button', {name: word('chat.send'), exact: true}))
        const {gpt} = columnsOf(page, isPhone)
        await expect(headOf(gpt)).toContainText(word('compare.failed'))
        await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)
        const name = word('compare.said').replace('{model}', 'GPT-5').replace('{state}', word('compare.continue'))
        await press(page.getByRole('link', {name}))
        await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
        await expect(page.getByRole('log').getByRole('alert')).toContainText('no such thing')
        groups.openai.answer(harbour)
        if (isPhone) await askByTouch(page, 'Bar')
        else await ask(page, 'Bar')
        await expect(lastMessage(page)).toContainText(harbour)
        await ended(page)
        expect(groups.openai.calls.at(-1)?.model).toBe('gpt-5-all')
        // a question without an answer is asked along
        expect(groups.openai.prompts).toEqual(['Foo', 'Foo\n\nBar'])
      },
    )
  })
}
