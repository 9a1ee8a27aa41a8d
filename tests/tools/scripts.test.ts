import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {Checkout} from './checkout.ts'
import {long} from '../long.ts'

const install = 'npm ci --no-audit --no-fund --include=dev'
const builds = ['build client', 'build src/server/main.ts']
const refused = 78

let checkout: Checkout
beforeEach(() => {
  checkout = new Checkout()
})
afterEach(() => checkout.remove())

describe('npm start', () => {
  test('installs and builds once, then starts at once', async () => {
    const server = {SERVER: 'process.stdout.write("ready\\n")'}
    const first = await checkout.run('start.mjs', server)
    expect(first).toEqual({code: 0, output: 'ready\n', log: expect.any(String)})
    expect(first.log).toContain('Installing packages (once after a clone or an update)')
    expect(checkout.calls).toEqual([install, ...builds])
    const second = await checkout.run('start.mjs', server)
    expect(second).toEqual({code: 0, output: 'ready\n', log: ''})
    expect(checkout.calls).toHaveLength(3)
  })

  test('builds in a process of its own, whose memory is free again when the server runs', async () => {
    const started = checkout.start('start.mjs')
    expect((await started.ended()).code).toBe(0)
    expect(checkout.builder).toBeGreaterThan(0)
    expect(checkout.builder).not.toBe(started.child.pid)
  })

  test('builds again when a source changed, and installs again when the lock file did', async () => {
    await checkout.run('start.mjs')
    checkout.write('index.html', '<p>bar</p>')
    await checkout.run('start.mjs')
    expect(checkout.calls).toEqual([install, ...builds, ...builds])
    checkout.write('package-lock.json', '{"lockfileVersion": 3}')
    await checkout.run('start.mjs')
    expect(checkout.calls).toEqual([install, ...builds, ...builds, install, ...builds])
  })

  describe('after `npm ci` by hand', () => {
    const foo = {version: '1.0.0', integrity: 'sha512-foo'}
    const bar = {version: '2.0.0', integrity: 'sha512-bar', dev: true}
    const native = {version: '3.0.0', integrity: 'sha512-native', optional: true, os: ['aix']}
    const lock = (packages: object) => JSON.stringify({lockfileVersion: 3, packages})
    beforeEach(() => checkout.write('package-lock.json', lock({'': {name: 'atrium'}, foo, bar, native})))

    test('installs nothing more, however often it starts', async () => {
      checkout.write('node_modules/.package-lock.json', lock({foo, bar}))
      for (const script of ['start.mjs', 'build.mjs']) expect((await checkout.run(script)).code).toBe(0)
      expect(checkout.calls).toEqual([...builds, ...builds])
    })

    test('without what tests need, starts; `npm test` installs the rest', async () => {
      checkout.write('node_modules/.package-lock.json', lock({foo}))
      await checkout.run('start.mjs')
      expect(checkout.calls).toEqual(builds)
      await checkout.run('test.mjs', {NPM_FAILS: 'EROFS'})
      expect(checkout.calls).toEqual([...builds, install])
    })

    const installsLocked = async (_: string, installed: object | undefined) => {
      checkout.write('node_modules/.package-lock.json', lock({foo: installed, bar}))
      await checkout.run('start.mjs')
      expect(checkout.calls).toEqual([install, ...builds])
    }
    test.each([['another file of a version', {...foo, integrity: 'sha512-baz'}]])(
      'of %s, installs what is locked',
      installsLocked,
    )
    test.each([
      ['another version', {...foo, version: '1.0.1'}],
      ['nothing', undefined],
    ])('of %s, installs what is locked', long, installsLocked)
  })

  test('a server that refuses to start is not started again, and its code is passed on', async () => {
    const {code, output} = await checkout.run('start.mjs', {SERVER: 'process.stdout.write("no\\n"); process.exit(78)'})
    expect([code, output]).toEqual([refused, 'no\n'])
  })

  test.each([
    [1, 'atrium: the server ended unexpectedly (code 1); starting it again in 0.5 s.'],
    // its database was away, and it has said so
    [75, 'atrium: starting it again in 0.5 s.'],
  ])('a server that ends with %i is started again, and stops with the signal', async (failure, sentence) => {
    const server = `import {existsSync, writeFileSync} from 'node:fs'
      const mark = process.env.CALLS + '.crashed'
      if (!existsSync(mark)) { writeFileSync(mark, ''); process.exit(${failure}) }
      process.on('SIGTERM', () => process.exit(0))
      setInterval(() => {}, 1e6)
      process.stdout.write('again\\n')`
    const started = checkout.start('start.mjs', {SERVER: server})
    await started.says('again')
    started.child.kill('SIGTERM')
    const {code, log} = await started.ended()
    expect(code).toBe(0)
    expect(log).toContain(sentence)
  })

  test.each(['', '; :'])('stops when the npm that runs it is killed, and its shell is not (%j)', async (rest) => {
    // as npm does it: a shell that runs the script, and with more to do stays between them
    checkout.write(
      'src/tools/npm.mjs',
      `import {spawn} from 'node:child_process'
      const script = '"' + process.execPath + '" "' + import.meta.dirname + '/start.mjs"' + ${JSON.stringify(rest)}
      spawn('sh', ['-c', script], {stdio: 'inherit', env: {...process.env, npm_lifecycle_event: 'start'}})`,
    )
    const server = `process.on('SIGTERM', () => { process.stdout.write('stopped\\n'); process.exit(0) })
      setInterval(() => {}, 1e6)
      process.stdout.write('ready\\n')`
    const started = checkout.start('npm.mjs', {SERVER: server})
    await started.says('ready')
    started.child.kill('SIGKILL')
    // its output closes with the last process that writes to it
    expect((await started.ended()).output).toBe('ready\nstopped\n')
  })
})

describe('npm run build', () => {
  test('works in a path with a space, an umlaut and a percent sign', async () => {
    expect(await checkout.run('build.mjs', {SERVER: 'foo'})).toEqual({
      code: 0,
      output: '',
      log: 'Installing packages (once after a clone or an update) …\n',
    })
    expect(checkout.calls).toEqual([install, ...builds])
    expect(['dist/server/main.js', 'dist/client/index.html.br'].map((path) => checkout.has(path))).toEqual([true, true])
  })

  test('keeps the last build when the new one fails', async () => {
    await checkout.run('build.mjs')
    const {code} = await checkout.run('build.mjs', {BUILD_FAILS: 'EFOO'})
    expect([code, checkout.has('dist/server/main.js')]).toEqual([1, true])
  })
})

describe('a disk that takes nothing', () => {
  test.each([
    ['EROFS', 'Make the folder writable for this user and try again.'],
    ['EACCES', 'Make the folder writable for this user and try again.'],
    ['ENOSPC', 'The disk is full: packages could not be installed. Free about 600 MB and try again.'],
    ['ENETDOWN', 'Check the network and the registry setting, then try again.'],
  ])('while installing (%s) ends with a sentence', async (failure, sentence) => {
    const {code, output, log} = await checkout.run('start.mjs', {NPM_FAILS: failure})
    expect([code, output]).toEqual([refused, ''])
    expect(log).toContain(`npm error code ${failure}`)
    expect(log.trimEnd().split('\n').at(-1)).toMatch(/^atrium: /)
    expect(log).toContain(sentence)
    expect(log).not.toMatch(/\n\s+at /)
  })

  test.each([40_000, 2_000_000])(
    'while installing, with a warning for each of %i files, says so too',
    async (warnings) => {
      const {code, log} = await checkout.run('start.mjs', {NPM_FAILS: 'ENOSPC', NPM_WARNS: String(warnings)})
      expect(code).toBe(refused)
      expect(log.trimEnd().split('\n').at(-1)).toBe(
        'atrium: The disk is full: packages could not be installed. Free about 600 MB and try again.',
      )
      expect(log.length).toBeLessThan(10_000)
    },
  )

  test.each(['build.mjs', 'test.mjs', 'admin.mjs'])('while installing ends %s in the same way', async (script) => {
    const {code, output, log} = await checkout.run(script, {NPM_FAILS: 'EROFS'})
    expect([code, output]).toEqual([refused, ''])
    expect(log.trimEnd().split('\n').at(-1)).toMatch(/^atrium: Packages cannot be written to /)
  })

  test.runIf(process.platform === 'linux')('refuses the mark of the installation: said with its folder', async () => {
    checkout.forbid('node_modules/.atrium-installed')
    const {code, log} = await checkout.run('start.mjs')
    expect(code).toBe(refused)
    expect(log).toContain(
      `atrium: ${join(checkout.folder, 'node_modules')} is not writable for this user. Change its owner or permissions and try again.`,
    )
  })

  test.each([
    ['EROFS', 'is on a read-only disk. Move the project to a writable one, or make this one writable.'],
    ['EACCES', 'is not writable for this user. Change its owner or permissions and try again.'],
    ['EPERM', 'is not writable for this user. Change its owner or permissions and try again.'],
    ['ENOSPC', 'could not be written. Free some space and try again.'],
  ])('while building (%s) ends with a sentence, and leaves no half build', async (failure, sentence) => {
    const {code, log} = await checkout.run('start.mjs', {BUILD_FAILS: failure})
    expect(code).toBe(refused)
    expect(log.trimEnd().split('\n').at(-1)).toMatch(/^atrium: /)
    expect(log).toContain(sentence)
    expect(log).not.toMatch(/\n\s+at /)
    expect(checkout.has('dist')).toBe(false)
  })

  test('a file stands where the cache goes: said with its path', async () => {
    checkout.write('.cache', '')
    const {code, log} = await checkout.run('start.mjs')
    expect([code, log]).toEqual([refused, expect.stringContaining(`atrium: ${join(checkout.folder, '.cache')}`)])
  })
})

describe('npm test', () => {
  test('goes through all stages and says what failed in its last line', async () => {
    const {code, output} = await checkout.run('test.mjs', {}, ['--check'])
    expect(code).toBe(1)
    expect(output.trimEnd().split('\n').at(-1)).toBe('0 passed, 4 failed')
    expect(output).toMatch(
      /✗ types: 0 passed, 1 failed\n✗ lint: 0 passed, 1 failed\n✗ format: 0 passed, 1 failed\n✗ unit, browser tests: 0 passed, 1 failed/,
    )
  })
})
