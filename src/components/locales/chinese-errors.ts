import type { AgentErrorMessages, ErrorMessages } from '../dictionary/error-messages.ts'
import { number, time } from './chinese-measures.ts'

export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) => ({
    title: attempts > 1 ? `尝试 ${number(attempts)} 次后仍无法连接助手` : '无法连接助手',
    text: '请检查网络连接后重试。',
  }),
  timeout: { title: '回复超时', text: '助手长时间未响应。请重试。' },
  truncated: { title: '连接已断开', text: '回复可能不完整。' },
  delivery_unknown: {
    title: '你的消息可能已送达',
    text: '助手确认之前连接已断开。再次发送可能会重复执行。',
  },
  unexpected_content_type: { title: '收到意外的响应', text: '你可能需要先登录此网络。' },
  frame_too_large: { title: '部分回复过大', text: '本应用无法显示。' },
  response_too_large: { title: '回复过长', text: '请尝试要求更短的回复。' },
  invalid_json: { title: '无法读取回复', text: '回复的格式不符合预期。' },
  invalid_packet: { title: '无法读取部分回复', text: '其格式不符合预期。' },
  unknown_op: { title: '不支持的内容', text: '本应用可能需要更新。' },
  invalid_response: { title: '无效的回复', text: '本应用无法识别。' },
  invalid_request: { title: '消息未发送', text: '本应用存在问题。' },
  invalid_config: { title: '本应用配置有误', text: '请联系应用的支持团队。' },
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? { title: '请求被拒绝', text: '再次尝试可能无济于事。' }
      : { title: '服务器出现问题', text: '请重试。' },
  unauthorized: { title: '请登录', text: '你尚未登录，或登录已过期。' },
  forbidden: { title: '访问被拒绝', text: '你没有使用此助手的权限。' },
  not_found: { title: '找不到助手', text: '它可能已被移动或删除。' },
  rate_limited: ({ retryAfterMs }) => ({
    title: '请求过于频繁',
    text:
      retryAfterMs === 0
        ? '现在可以重试。'
        : `请在${retryAfterMs === undefined ? '片刻' : ` ${time(retryAfterMs)}`}后重试。`,
  }),
  log_expired: { title: '此回复无法恢复', text: '请重新提问以获取新的回复。' },
  agent_error: ({ message }) => ({ title: '助手报告了问题', text: message }),
  restarted: { title: '回复已重新开始', text: '前后两部分不一致。请重新提问。' },
  storage_full: { title: '服务器存储空间已满', text: '请稍后重试。' },
  storage_corrupt: { title: '服务器数据已损坏', text: '请联系其支持团队。' },
  storage_unavailable: { title: '服务器无法保存数据', text: '请稍后重试。' },
  busy: { title: '仍在回复', text: '请等待回复完成，或先停止它。' },
  app_error: { title: '出了点问题', text: '本应用存在问题。请重试。' },
}

const notResponding = { title: '所需的服务没有响应', text: '请重试。' }
const blocked = { title: '已被安全检查拦截', text: '请换一种方式提问。' }

export const agentErrorMessages: AgentErrorMessages = {
  internal_error: { title: '助手遇到了问题', text: '请重试。' },
  upstream_timeout: notResponding,
  toxicity_detected: blocked,
  cancel_unconfirmed: { title: '停止操作未得到确认', text: '助手可能仍在工作。' },
  model_unavailable: notResponding,
  model_content_filtered: blocked,
  model_quota_exceeded: { title: '已达到用量上限', text: '请稍后重试。' },
  model_context_too_long: { title: '此对话过长', text: '请开始新的对话，或减少发送的内容。' },
  model_step_limit: { title: '回复不完整', text: '助手已达到步骤数上限。' },
  unstructured_error: { title: '出了点问题', text: '请查看详情。' },
}
