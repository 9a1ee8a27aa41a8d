import {expect} from './fixtures.ts'
import {composer} from './support/chat-page.ts'
import {answerOf, columnsOf, headOf, openPage, test} from './support/compare-page.ts'
import {long} from './support/full-run.ts'
import {arabicPhone, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'
import {press} from './support/press.ts'
import {wordsOf} from './support/words-of.ts'

/* A comparison in which one answer was stopped and the other one failed. */

for (const {where, device, isPhone} of [
  {where: 'on a desktop', device: {}, isPhone: false},
  {where: 'on a phone in Arabic', device: arabicPhone, isPhone: true},
]) {
  test.describe(where, () => {
    test.use(device)

    test('one stopped and one failed say so, and each is asked again', long, async ({context, groups}) => {
      const page = await openPage(context, groups, '/compare')
      const word = await wordsOf(page)
      const said = (model: string, id: string) =>
        page.getByRole('button', {name: word('compare.said').replace('{model}', model).replace('{state}', word(id))})
      groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
      groups.deepseek.hold(2)
      await composer(page).fill('Foo')
      await press(page.getByRole('main').getByRole('button', {name: word('chat.send'), exact: true}))
      const {tabs, show, gpt, deep} = columnsOf(page, isPhone)
      await show(1)
      await expect(answerOf(deep)).toContainText('Take the')
      await press(said('DeepSeek V3', 'chat.stop'))
      const states = [word('compare.failed'), word('compare.stopped')]
      if (isPhone) for (const [index, state] of states.entries()) await expect(tabs.nth(index)).toContainText(state)
      await expect(headOf(deep)).toContainText(word('compare.stopped'))
      if (isPhone) await expectForFingers(page, deep)
      await expectGoodInBothThemes(page, 'one that was stopped')
      await show(0)
      await expect(headOf(gpt)).toContainText(word('compare.failed'))
      await expect(gpt.getByRole('alert')).toContainText('no such thing')
      if (isPhone) await expectForFingers(page, gpt)
      await expectGoodInBothThemes(page, 'one that failed')

      groups.openai.answer('Better now')
      groups.deepseek.release()
      await press(said('GPT-5', 'common.retry'))
      await expect(answerOf(gpt)).toContainText('Better now')
      await show(1)
      await expect(headOf(deep)).toContainText(word('compare.stopped'))
      await press(said('DeepSeek V3', 'common.retry'))
      await expect(answerOf(deep)).toContainText('Take the slow train along the coast')
      await show(0)
      await expect(answerOf(gpt)).toContainText('Better now')
    })
  })
}
