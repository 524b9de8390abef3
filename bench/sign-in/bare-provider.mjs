// A baseline of the sign-in bench: oidc-provider alone, in memory, accepting any password.
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

process.once('message', ({ clientId }) => {
  const server = createServer()
  server.listen(0, '127.0.0.1', () => {
    const origin = `http://127.0.0.1:${server.address().port}`
    const provider = new Provider(origin, {
      clients: [
        {
          client_id: clientId,
          redirect_uris: [`${origin}/`],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code'],
          response_types: ['code'],
          scope: 'openid read write',
        },
      ],
      cookies: { keys: ['bench only'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
      interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const { client, account } = oidc
        const grant = new oidc.provider.Grant({ accountId: account.accountId, clientId: client.clientId })
        grant.addOIDCScope('openid read write')
        await grant.save()
        return grant
      },
      routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
      scopes: ['openid', 'read', 'write'],
    })
    const callback = provider.callback()
    server.on('request', (req, res) => {
      if (!req.url.startsWith('/sign-in/')) return callback(req, res)
      if (req.method === 'GET') return res.end('<form method="post">')
      const chunks = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => {
        const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('email')
        provider
          .interactionFinished(req, res, { login: { accountId } }, { mergeWithLastSubmission: false })
          .catch((error) => res.destroy(error))
      })
    })
    process.send(origin)
  })
})
