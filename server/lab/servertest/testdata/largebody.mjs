// Posts 5 MB again and again, at once and in chunks, and prints each response. Without a response it fails.
import { request } from 'node:http'

const [url, authorization, times] = process.argv.slice(2)
const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
const body = Buffer.alloc(5_000_000, 'x')

const post = (chunked) =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, ...(!chunked && { 'content-length': body.length }) },
    })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(`${response.statusCode} ${JSON.parse(text).code}`)
    })
    if (chunked) for (let at = 0; at < body.length; at += 100_000) sent.write(body.subarray(at, at + 100_000))
    sent.end(chunked ? undefined : body)
  })

for (let i = 0; i < Number(times); i++) {
  const response = await fetch(url, { method: 'POST', headers, body })
  console.log(`${response.status} ${(await response.json()).code}`)
  console.log(await post(false))
  console.log(await post(true))
}
