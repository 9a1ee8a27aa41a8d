import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {transformWithOxc} from 'vite'
import type {SnippetLanguage} from '#domain/api-snippets.ts'

/** The types are taken away; nothing else of the text is changed. */
const withoutTypes = async (text: string) => (await transformWithOxc(text, 'example.ts', {target: 'es2022'})).code

const programs: Record<
  SnippetLanguage,
  {command: string; file: string; prepare: (text: string) => string | Promise<string>}
> = {
  curl: {command: 'bash', file: 'example.sh', prepare: (text) => text},
  typescript: {command: process.execPath, file: 'example.mjs', prepare: withoutTypes},
  python: {command: 'python3', file: 'example.py', prepare: (text) => text},
}

/** Runs an example as a developer does: its text in a file, the key in the environment. Gives what it prints. */
export async function runSnippet(language: SnippetLanguage, text: string, key: string): Promise<string> {
  const {command, file, prepare} = programs[language]
  const folder = mkdtempSync(join(tmpdir(), 'atrium-example-'))
  try {
    const path = join(folder, file)
    writeFileSync(path, await prepare(text))
    const child = spawn(command, [path], {
      env: {...process.env, ATRIUM_API_KEY: key, FORCE_COLOR: '0', NO_PROXY: 'localhost', no_proxy: 'localhost'},
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    await once(child, 'close')
    return printed
  } finally {
    rmSync(folder, {recursive: true})
  }
}

/** Whether the program that runs examples of a language is installed. */
export async function canRun(language: SnippetLanguage): Promise<boolean> {
  const child = spawn(programs[language].command, ['--version'], {stdio: 'ignore'})
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}
