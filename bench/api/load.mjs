// Sends requests as fast as they are answered, over a few connections, and tells how that went.
import autocannon from 'autocannon'

process.on('message', async ({ url, connections, seconds, headers, requests }) => {
  const {
    requests: rate,
    latency,
    errors,
    timeouts,
    non2xx,
  } = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    requests,
  })
  const failed = errors + timeouts + non2xx
  process.send({ perSecond: rate.average, p50: latency.p50, p99: latency.p99, failed, answered: rate.total })
})
