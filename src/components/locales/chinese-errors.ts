import type { AgentErrorMessages, ErrorMessages } from '../dictionary/error-messages.ts'
import { number, time } from './chinese-measures.ts'

export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) => ({
    title: attempts > 0 ? `尝试 ${number(attempts)} 次后仍无法连接智能体` : '无法连接智能体',
    text: '请检查网络连接。已收到的内容会保留。',
  }),
  timeout: { title: '智能体响应时间过长', text: '有一段时间没有收到任何内容。已收到的内容会保留。' },
  truncated: { title: '连接提前断开', text: '智能体尚未说完，回答就中断了。' },
  unexpected_content_type: { title: '回应的不是智能体', text: '可能被当前网络的登录页面拦截了。' },
  frame_too_large: { title: '回答中有一段内容过大', text: '本应用不接收这么大的内容。' },
  response_too_large: { title: '回答过长', text: '请要求一个更短的回答。' },
  invalid_json: { title: '无法读取回答', text: '内容在传输中已损坏。' },
  invalid_packet: { title: '无法读取部分回答', text: '智能体使用了本应用不认识的格式。' },
  unknown_op: { title: '智能体发来了新的内容', text: '本应用不知道如何处理。' },
  invalid_response: { title: '智能体没有给出有效的回答', text: '它使用了本应用不认识的格式。' },
  invalid_request: { title: '无法发送请求', text: '本应用的请求方式不被智能体接受。' },
  invalid_config: { title: '本应用尚未为该智能体配置好', text: '其中一项设置无法生效。' },
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? { title: '智能体没有接受该请求', text: '再次尝试多半没有帮助。' }
      : { title: '智能体无法回答', text: '它的服务器报告了错误。已收到的内容会保留。' },
  unauthorized: { title: '登录已过期', text: '请登录后继续。对话会保留。' },
  forbidden: { title: '没有访问权限', text: '该智能体只对受邀的人开放。' },
  not_found: { title: '找不到该智能体', text: '它可能已被移动或删除。' },
  rate_limited: ({ retryAfterMs }) => ({ title: '请求过于频繁', text: `请等待${retryAfterMs ? ` ${time(retryAfterMs)}` : '片刻'}后重试。` }),
  log_expired: { title: '该回答已无法继续', text: '服务器不再保留它。请重新提问以获得新的回答。' },
  agent_error: ({ message }) => ({ title: '智能体报告了问题', text: message }),
  restarted: { title: '智能体在回答中途重新开始了', text: '前后两部分无法衔接。请重新提问以获得新的回答。' },
  busy: { title: '仍在生成回答', text: '请等待它完成，或先停止它。' },
  app_error: { title: '本应用出了点问题', text: '对话会保留。' },
}

export const agentErrorMessages: AgentErrorMessages = {
  internal_error: { title: '智能体遇到了问题', text: '问题出在智能体，与你无关。' },
  upstream_timeout: { title: '智能体所需的某项服务较慢', text: '它没有及时响应。' },
  toxicity_detected: { title: '智能体的安全检查中止了该回答', text: '请换一种方式提问。' },
  unstructured_error: { title: '智能体失败了，且未给出原因代码', text: '详情中有它的原话。' },
}
