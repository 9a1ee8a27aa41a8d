import {expect} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {composer} from './support/chat-page.ts'
import {answerOf, column, headOf, openPage, test, toggleModels} from './support/compare-page.ts'
import {long} from './support/full-run.ts'

/*
 * "What happened" from the head of a column: of its own answer, while it is written and after, with four columns beside
 * each other.
 */

const models = ['GPT-5', 'DeepSeek V3', 'GPT-4o basic', 'GPT-4o']

test(
  'the head of each of four columns has room for the way to what happened, which tells of that column',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/compare')
    await toggleModels(page, /^GPT-4o basic/, /^GPT-4o All-round/)
    groups.openai.hold(2)
    await composer(page).fill('Foo')
    await composer(page).press('Enter')
    const [gpt, deep] = [column(page, 'GPT-5'), column(page, 'DeepSeek V3')]
    await expect(answerOf(gpt)).toContainText('A harbour')
    await expect(headOf(deep)).toContainText('Answer ready')
    const buttonOf = (model: string) => page.getByRole('button', {name: `${model}: What happened`})
    for (const width of [1440, 1280]) {
      await page.setViewportSize({width, height: 900})
      for (const model of models) {
        const [head, button] = await Promise.all([
          headOf(column(page, model)).boundingBox(),
          buttonOf(model).boundingBox(),
        ])
        expect(button?.x).toBeGreaterThanOrEqual(head?.x ?? 0)
        expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual((head?.x ?? 0) + (head?.width ?? 0))
        const cut = await headOf(column(page, model)).evaluate((element) => element.scrollWidth - element.clientWidth)
        expect(cut).toBe(0)
      }
    }

    const dialog = page.getByRole('dialog', {name: 'What happened'})
    const steps = dialog.getByRole('list', {name: 'Steps'}).getByRole('listitem')
    await buttonOf('DeepSeek V3').click()
    await expect(steps.last()).toContainText('finished')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(buttonOf('DeepSeek V3')).toBeFocused()
    await buttonOf('GPT-5').click()
    // over a stream of its own, or over the one that all share: any of the four may have the last free connection
    await expect(steps.filter({hasText: /asking\.answering|following\.hearing/}).first()).toBeVisible()
    await expect(steps.filter({hasText: 'finished'})).toHaveCount(0)
    expect(await axeFaults(page)).toEqual([])
    groups.openai.release()
    await expect(steps.last()).toContainText('finished')
  },
)
