import { describe, expect, it } from 'vitest'
import { asksCredential } from '../../../src/components/schema-form/asks-credential.ts'

describe('a name of a field', () => {
  it.each([
    'password',
    'passwd',
    'Pass phrase',
    'user_password',
    'newPassword',
    'passcode',
    'client_secret',
    'secretKey',
    'token',
    'access_token',
    'accessToken',
    'refreshToken',
    'apiToken',
    'API key',
    'apiKey',
    'api-key',
    'private key',
    'credentials',
    'pin',
    'cardPin',
    'CVV',
    'otp',
    'Passwort',
    'Kennwort',
    '密码',
    'كلمة المرور',
  ])('%s asks for a credential', (name) => {
    expect(asksCredential('x', name)).toBe(true)
  })

  it.each(['name', 'email', 'passenger', 'compass', 'spinning', 'tokenizer', 'keyboard', 'opinion', 'passport number'])(
    '%s does not',
    (name) => {
      expect(asksCredential(name)).toBe(false)
    },
  )
})
