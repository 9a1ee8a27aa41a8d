import {expect, test} from 'vitest'
import {createSources} from '../../src/tools/dev/sources.mjs'

test('the inspector’s page is served by `npm run dev`, under the policy of the pages', async () => {
  const sources = await createSources()
  try {
    const {client} = sources.development({publicOrigins: []})
    const page = await client.serve(new Request('http://localhost:4000/inspector.html'), '/inspector.html')
    const html = await page?.text()
    const policy = page?.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
    expect(page?.status).toBe(200)
    expect(policy).toContain("connect-src 'self';")
    expect(html).toContain(`nonce="${nonce}"`)
    expect(html).not.toContain('__CSP_NONCE__')
    expect(await client.serve(new Request('http://localhost:4000/'), '/')).toBeUndefined()
  } finally {
    await sources.close()
  }
})
