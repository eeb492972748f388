"""A BERT encoder (MiniLM and its like) or cross-encoder as an ONNX graph, from config.json and model.safetensors, with numpy and onnx alone.

  python bert_to_onnx.py MODEL_DIR OUT.onnx     input_ids, attention_mask, token_type_ids -> last_hidden_state (or logits, with a classifier)

Standard operators of opset 17 only, names as in published exports. It pools nothing, fetches nothing and refuses other architectures.
"""
import argparse
import json
import struct

import numpy as np
import onnx
from onnx import helper as h, numpy_helper, TensorProto as T


def weights(path):
    with open(path, 'rb') as f:
        head = json.loads(f.read(struct.unpack('<Q', f.read(8))[0]))
        body = f.read()
    kinds = {'F32': np.float32, 'I64': np.int64, 'F16': np.float16}
    return {n.removeprefix('bert.'): np.frombuffer(body[slice(*t['data_offsets'])], kinds[t['dtype']]).reshape(t['shape'])
            for n, t in head.items() if n != '__metadata__'}


def build(w, config, out):
    if config.get('model_type') != 'bert' or config['hidden_act'] != 'gelu' or config.get('position_embedding_type', 'absolute') != 'absolute':
        raise SystemExit(f'Expected a BERT with gelu and absolute positions, received {config}. Export it with the tool that its publisher names.')
    heads, d, layers, eps = (config[k] for k in ('num_attention_heads', 'hidden_size', 'num_hidden_layers', 'layer_norm_eps'))
    nodes, inits, seen = [], [], set()

    def const(name, a):
        if name not in seen:
            seen.add(name)
            a = np.array(a, order='C')
            inits.append(numpy_helper.from_array(a.astype(np.float32) if a.dtype == np.float16 else a, name))
        return name

    def op(kind, ins, name, **k):
        nodes.append(h.make_node(kind, ins, [name], name=name, **k))
        return name

    def dense(x, p, name):
        return op('Add', [op('MatMul', [x, const(p + '.weight.T', w[p + '.weight'].T)], name + '.mm'), const(p + '.bias', w[p + '.bias'])], name)

    def norm(x, p, name):
        return op('LayerNormalization', [x, const(p + '.weight', w[p + '.weight']), const(p + '.bias', w[p + '.bias'])], name, axis=-1, epsilon=eps)

    def split(x, name, perm):  # [b, t, d] -> heads
        return op('Transpose', [op('Reshape', [x, const('to_heads', np.array([0, 0, heads, d // heads]))], name + '.r')], name, perm=perm)

    e = 'embeddings.'
    length = op('Gather', [op('Shape', ['input_ids'], 'shape'), const('i1', np.array(1))], 'length')
    positions = op('Range', [const('i0', np.array(0)), length, const('i1', np.array(1))], 'positions')
    table = lambda n: const(e + n, w[f'{e}{n}_embeddings.weight'])
    x = op('Add', [op('Gather', [table('word'), 'input_ids'], 'we'), op('Gather', [table('token_type'), 'token_type_ids'], 'te')], 'wt')
    x = norm(op('Add', [x, op('Gather', [table('position'), positions], 'pe')], 'sum'), e + 'LayerNorm', 'x0')
    maskf = op('Cast', ['attention_mask'], 'maskf', to=T.FLOAT)
    hidden = op('Unsqueeze', [op('Sub', [const('f1', np.float32(1)), maskf], 'inv'), const('ax12', np.array([1, 2]))], 'inv4')
    bias = op('Mul', [hidden, const('low', np.float32(np.finfo(np.float32).min))], 'bias')
    for i in range(layers):
        p, a = f'encoder.layer.{i}.', f'encoder.layer.{i}.attention.'
        q, k, v = (split(dense(x, f'{a}self.{n}', f'{n}{i}'), f'{n}h{i}', perm) for n, perm in
                   (('query', [0, 2, 1, 3]), ('key', [0, 2, 3, 1]), ('value', [0, 2, 1, 3])))
        s = op('Div', [op('MatMul', [q, k], f'qk{i}'), const('root', np.float32(np.sqrt(d // heads)))], f's{i}')
        c = op('MatMul', [op('Softmax', [op('Add', [s, bias], f'sb{i}')], f'sm{i}', axis=-1), v], f'cv{i}')
        c = op('Reshape', [op('Transpose', [c], f'ct{i}', perm=[0, 2, 1, 3]), const('from_heads', np.array([0, 0, d]))], f'c{i}')
        x = norm(op('Add', [dense(c, a + 'output.dense', f'o{i}'), x], f'or{i}'), a + 'output.LayerNorm', f'a{i}')
        u = dense(x, p + 'intermediate.dense', f'u{i}')
        g = op('Add', [op('Erf', [op('Div', [u, const('root2', np.float32(np.sqrt(2)))], f'u2{i}')], f'erf{i}'), 'f1'], f'e1{i}')
        g = op('Mul', [op('Mul', [u, g], f'ug{i}'), const('half', np.float32(0.5))], f'g{i}')
        out_name = 'last_hidden_state' if i == layers - 1 else f'x{i + 1}'
        x = norm(op('Add', [dense(g, p + 'output.dense', f'd{i}'), x], f'dr{i}'), p + 'output.LayerNorm', out_name)
    result = h.make_tensor_value_info('last_hidden_state', T.FLOAT, ['batch', 'sequence', d])
    if 'classifier.weight' in w:  # a cross-encoder: the pooled [CLS] through tanh, then one logit
        pooled = op('Tanh', [dense(op('Gather', [x, const('i0', np.array(0))], 'cls', axis=1), 'pooler.dense', 'pool')], 'pooled')
        dense(pooled, 'classifier', 'logits')
        result = h.make_tensor_value_info('logits', T.FLOAT, ['batch', w['classifier.weight'].shape[0]])
    graph = h.make_graph(nodes, 'bert', [h.make_tensor_value_info(n, T.INT64, ['batch', 'sequence'])
                         for n in ('input_ids', 'attention_mask', 'token_type_ids')], [result], inits)
    model = h.make_model(graph, opset_imports=[h.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, out)


if __name__ == '__main__':
    a = argparse.ArgumentParser()
    a.add_argument('model', help='folder with config.json and model.safetensors')
    a.add_argument('out', help='the ONNX file to write, for example MODEL/onnx/model.onnx')
    a = a.parse_args()
    with open(f'{a.model}/config.json') as f:
        build(weights(f'{a.model}/model.safetensors'), json.load(f), a.out)
