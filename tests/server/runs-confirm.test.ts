import {expect, test} from 'vitest'
import {confirmRun, RunLost} from '#server/runs/run-store.ts'
import {taskRuns} from '#server/media/task-store.ts'

/** A database whose answers take so many milliseconds each; the run is there as long as `isOurs` says. */
function slowDatabase(delays: number[], isOurs: (asked: number) => boolean = () => true) {
  let [now, asked] = [0, 0]
  const asSystemOnce = () => {
    now += delays[asked] ?? 0
    asked += 1
    return isOurs(asked) ? Promise.resolve() : Promise.reject(new RunLost())
  }
  const confirm = () =>
    // as: it only asks whether the run is there
    confirmRun(
      {asSystemOnce} as unknown as Parameters<typeof confirmRun>[0],
      taskRuns,
      {id: 'foo', fence: 1},
      () => now,
    )
  return {confirm, asked: () => asked}
}

test('a process that stood still with the answer asks again before it buys anything', async () => {
  const quick = slowDatabase([1_900])
  await quick.confirm()
  expect(quick.asked()).toBe(1)
  const frozen = slowDatabase([5_000, 3_000, 10])
  await frozen.confirm()
  expect(frozen.asked()).toBe(3)
  const slow = slowDatabase([5_000, 10], (asked) => asked === 1)
  await expect(slow.confirm()).rejects.toBeInstanceOf(RunLost)
})
