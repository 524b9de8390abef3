// Sends requests as fast as they are answered, over a few connections, and reports the results.
import autocannon from 'autocannon'

/** @returns {Promise<{ result: object; times: number[] }>} times in milliseconds; autocannon's own are rounded */
function perform(options) {
  return new Promise((resolve, reject) => {
    const times = []
    const running = autocannon(options, (error, result) => (error ? reject(error) : resolve({ result, times })))
    running.on('response', (_client, _status, _bytes, ms) => times.push(ms))
  })
}

process.on('message', async ({ url, connections, seconds, headers, requests }) => {
  const { result, times } = await perform({ url, connections, duration: seconds, headers, requests })
  times.sort((a, b) => a - b)
  process.send({
    perSecond: result.requests.average,
    p99: times[Math.floor(times.length * 0.99)],
    failed: result.errors + result.timeouts + result.non2xx,
    answered: times.length,
  })
})
