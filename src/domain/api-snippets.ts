import type {ToolExample} from '#contract/media/media-tool.ts'

export const snippetLanguages = ['curl', 'typescript', 'python'] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]

type Body = ToolExample['body']
/** The call that a snippet makes: a chat model, or an operation that makes a task (contract/media §1). */
export type SnippetCall =
  | {kind: 'chat'; model: string}
  /** `service` is the first segment of the path of its tasks. */
  | ({kind: 'task'; service: string} & ToolExample)

export type SnippetInput = {
  language: SnippetLanguage
  /** Base URL of the AI service. */
  base: string
  call: SnippetCall
}

/** A program that makes one call with the key in `ATRIUM_API_KEY`, and follows its task to the end. */
export function snippetOf({language, base, call}: SnippetInput): string {
  if (call.kind === 'chat') {
    return chatSnippets[language](base, {model: call.model, question: 'What is the colour of the sea?'})
  }
  // `async` answers with the task's id at once
  const body = {...call.body, async: true}
  return taskSnippets[language](base, {path: call.path, tasks: `/${call.service}/tasks`, body})
}

const json = (body: Body) => JSON.stringify(body)

/** Quoted for a shell: nothing inside is expanded. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** As a literal of Python: texts and numbers are written as in JSON, booleans begin with a capital. */
const python = (body: Body) =>
  `{${Object.entries(body)
    .map(([name, value]) => `${pythonValue(name)}: ${pythonValue(value)}`)
    .join(', ')}}`
const pythonValue = (value: Body[string]) =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)

/** As a literal of TypeScript. */
const typescript = (body: Body) =>
  `{${Object.entries(body)
    .map(([name, value]) => `${name}: ${typescriptValue(value)}`)
    .join(', ')}}`
const typescriptValue = (value: Body[string]): string => {
  if (typeof value === 'object') return `[${value.map(quoted).join(', ')}]`
  return typeof value === 'string' ? quoted(value) : String(value)
}
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const chatSnippets: Record<SnippetLanguage, (base: string, body: Body) => string> = {
  curl: (base, body) => `curl -sS ${shell(`${base}/aichat/conversations`)} \\
  -H "authorization: Bearer $ATRIUM_API_KEY" \\
  -H 'content-type: application/json' \\
  -H 'accept: application/json' \\
  -d ${shell(json(body))}
`,
  typescript: (base, body) => `const response = await fetch(${quoted(`${base}/aichat/conversations`)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.ATRIUM_API_KEY}\`,
    'content-type': 'application/json',
    accept: 'application/json',
  },
  body: JSON.stringify(${typescript(body)}),
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())
`,
  python: (base, body) => `import json
import os
import urllib.request

request = urllib.request.Request(
    ${pythonValue(`${base}/aichat/conversations`)},
    data=json.dumps(${python(body)}).encode(),
    headers={
        "authorization": f"Bearer {os.environ['ATRIUM_API_KEY']}",
        "content-type": "application/json",
        "accept": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`,
}

type TaskCall = {path: string; tasks: string; body: Body}
const taskSnippets: Record<SnippetLanguage, (base: string, call: TaskCall) => string> = {
  curl: (base, {path, tasks, body}) => `base=${shell(base)}
call() {
  curl -sS --fail-with-body "$base$1" -d "$2" \\
    -H "authorization: Bearer $ATRIUM_API_KEY" \\
    -H 'content-type: application/json'
}

created=$(call ${path} ${shell(json(body))}) &&
  id=$(sed 's/.*"task_id":"\\([^"]*\\)".*/\\1/' <<< "$created") &&
  while task=$(call ${tasks} "{\\"action\\": \\"retrieve\\", \\"id\\": \\"$id\\"}") &&
    ! grep -q '"finished_at"' <<< "$task"; do sleep 2; done
echo "\${task:-$created}"
`,
  typescript: (base, {path, tasks, body}) => `const base = ${quoted(base)}

async function call(path: string, body: object) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.ATRIUM_API_KEY}\`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as {task_id: string; finished_at?: number; response?: object}
}

const {task_id: id} = await call('${path}', ${typescript(body)})
let task = await call('${tasks}', {action: 'retrieve', id})
while (task.finished_at === undefined) {
  await new Promise((resolve) => setTimeout(resolve, 2000))
  task = await call('${tasks}', {action: 'retrieve', id})
}
console.log(task.response)
`,
  python: (base, {path, tasks, body}) => `import json
import os
import time
import urllib.request

base = ${pythonValue(base)}


def call(path, body):
    request = urllib.request.Request(
        base + path,
        data=json.dumps(body).encode(),
        headers={
            "authorization": f"Bearer {os.environ['ATRIUM_API_KEY']}",
            "content-type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


created = call("${path}", ${python(body)})
find = {"action": "retrieve", "id": created["task_id"]}
task = call("${tasks}", find)
while "finished_at" not in task:
    time.sleep(2)
    task = call("${tasks}", find)
print(json.dumps(task["response"], indent=2))
`,
}
